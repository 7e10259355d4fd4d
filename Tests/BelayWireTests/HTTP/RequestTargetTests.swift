import BelayWire
import Testing

@Suite struct `Request targets` {
    struct Case: CustomTestStringConvertible, Sendable {
        let target: String
        let path: String
        var items: [RequestTarget.Item] = []
        var testDescription: String { target.debugDescription }

        init(_ target: String, _ path: String, _ items: (String, String)...) {
            self.target = target
            self.path = path
            self.items = items.map { RequestTarget.Item(name: $0.0, value: $0.1) }
        }
    }

    @Test(arguments: [
        Case("/", "/"), Case("", "/"), Case("*", "*"),
        Case("/events?cut=1", "/events", ("cut", "1")),
        Case("/events?", "/events"), Case("?a=1", "/", ("a", "1")),
        Case("/a%20b%2Fc+d", "/a b/c+d"),
        Case("/%e2%80%a6", "/\u{2026}"), Case("/%FF", "/\u{FFFD}"),
        Case("/%", "/%"), Case("/%4", "/%4"), Case("/%4g%41", "/%4gA"),
        Case("/?a=1&b=2&a=3", "/", ("a", "1"), ("b", "2"), ("a", "3")),
        Case("/?a&b=&=c&&d=e=f", "/", ("a", ""), ("b", ""), ("", "c"), ("d", "e=f")),
        Case("/?a+b=c%20d%26+e", "/", ("a b", "c d& e")),
        Case("/x?u=http://y/?z", "/x", ("u", "http://y/?z")),
        Case("http://host:80/x?y=z", "/x", ("y", "z")),
        Case("http://host?y=z", "/", ("y", "z")), Case("http://host", "/"),
        Case("host:443", "host:443"),
    ])
    func `split into a path and query items`(_ test: Case) {
        let target = RequestTarget(test.target)
        #expect(target.path == test.path)
        #expect(target.items == test.items)
    }

    @Test func `find the first item of a name`() {
        let target = RequestTarget("/?a=1&b=2&a=3")
        #expect(target.first("a") == "1")
        #expect(target.first("b") == "2")
        #expect(target.first("A") == nil)
    }
}
