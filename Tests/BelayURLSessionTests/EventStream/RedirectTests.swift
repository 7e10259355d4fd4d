import Foundation
import Testing

@testable import BelayURLSession

@Suite struct `A redirect of an event stream` {
    @Test(arguments: [
        ("http://a/x", "http://a/y", true),
        ("http://a/x", "http://A:80/y?z", true),
        ("https://a/x", "https://a:443/", true),
        ("http://a:8080/", "http://a:8080/x", true),
        ("http://a/", "https://a/", false),
        ("https://a/", "http://a/", false),
        ("http://a/", "http://b/", false),
        ("http://a/", "http://a:8080/", false),
        ("http://127.0.0.1/", "http://localhost/", false),
        ("http://a/", "mailto:b", false),
    ])
    func `is followed within its origin only`(from: String, to: String, isFollowed: Bool) {
        #expect(Redirect.isFollowed(from: URL(string: from), to: URL(string: to)) == isFollowed)
    }

    @Test func `is not followed where an address is missing`() {
        #expect(!Redirect.isFollowed(from: nil, to: URL(string: "http://a/")))
        #expect(!Redirect.isFollowed(from: URL(string: "http://a/"), to: nil))
        #expect(!Redirect.isFollowed(from: nil, to: nil))
    }
}
