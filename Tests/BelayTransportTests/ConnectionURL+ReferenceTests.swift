import BelayTransport
import Testing

@Suite struct `A reference, read at an address` {
    /// Source: RFC 3986 §5.4, as far as it stays within http; the base there ends in `d;p?q`.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
        ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
        // Beyond the table.
        ("HTTPS://B:8443/x/../y", "https://b:8443/y"), ("g:1", nil), ("/g:1", "http://a/g:1"),
        ("./g:1", "http://a/b/c/g:1"), ("?a=http://b/", "http://a/b/c/d;p?a=http://b/"),
        ("http:g", nil), ("//[::1]:8080/x", "http://[::1]:8080/x"), ("g//h", "http://a/b/c/g//h"),
    ])
    func `names a place`(reference: String, place: String?) throws {
        let base = try ConnectionURL("http://a/b/c/d;p?q")
        let found = try? base.resolved(reference)
        #expect(found == (try place.map { try ConnectionURL($0) }))
    }

    @Test func `keeps the port, where it names none`() throws {
        let base = try ConnectionURL("https://[::1]:8443/a?b")
        #expect(try base.resolved("c") == (try ConnectionURL("https://[::1]:8443/c")))
        #expect(try base.resolved("//d/c") == (try ConnectionURL("https://d/c")))
    }
}
