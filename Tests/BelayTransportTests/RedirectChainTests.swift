import BelayTransport
import Testing

@Suite struct `A redirect of an event stream` {
    private static func request(
        _ url: String = "http://a/x", _ method: RequestMethod = .get, body: [UInt8]? = nil
    ) throws -> EventStreamRequest {
        EventStreamRequest(
            url: try ConnectionURL(url), method: method, body: body, lastEventID: "41",
            fields: [
                try RequestField("Authorization", "secret"), try RequestField("Cookie", "secret"),
                try RequestField("Proxy-Authorization", "secret"),
                try RequestField("X-Api-Key", "secret"),
                try RequestField("Content-Type", "application/json"),
                try RequestField("Accept-Language", "de"),
            ])
    }

    private struct Case: CustomTestStringConvertible, Sendable {
        let status: UInt16
        let method: RequestMethod
        let followsAs: RequestMethod?
        var testDescription: String { "\(status) to \(method.name)" }

        static let all: [Case] = [
            .init(status: 301, method: .get, followsAs: .get),
            .init(status: 301, method: .post, followsAs: .get),
            .init(status: 301, method: .report, followsAs: .report),
            .init(status: 302, method: .get, followsAs: .get),
            .init(status: 302, method: .post, followsAs: .get),
            .init(status: 302, method: .report, followsAs: .report),
            .init(status: 303, method: .get, followsAs: .get),
            .init(status: 303, method: .post, followsAs: .get),
            .init(status: 303, method: .report, followsAs: .get),
            .init(status: 307, method: .post, followsAs: .post),
            .init(status: 308, method: .post, followsAs: .post),
            .init(status: 200, method: .get, followsAs: nil),
            .init(status: 300, method: .get, followsAs: nil),
            .init(status: 304, method: .get, followsAs: nil),
            .init(status: 305, method: .get, followsAs: nil),
            .init(status: 503, method: .get, followsAs: nil),
        ]
    }

    // D63 of the reports: a body that is lost on 307 and 308.
    @Test(arguments: Case.all)
    private func `keeps method and body, or asks by GET without one`(_ test: Case) throws {
        var chain = RedirectChain(try Self.request("http://a/x", test.method, body: [1, 2]))
        let before = chain
        let isFollowed = chain.follow(test.status, to: "/y?z")
        #expect(isFollowed == (test.followsAs != nil))
        guard let method = test.followsAs else {
            #expect(chain == before)
            return
        }
        #expect(chain.request.url.target == "/y?z")
        #expect(chain.request.method == method)
        let keepsBody = test.status != 303 && method == test.method
        #expect(chain.request.body == (keepsBody ? [1, 2] : nil))
        #expect(chain.request.fields.contains { $0.name == "Content-Type" } == keepsBody)
    }

    // D64 of the reports: credentials that follow to another host.
    @Test(arguments: [
        ("http://a/x", "http://A:80/y", true),
        ("https://a/x", "https://a:443/", true),
        ("http://a:8080/", "//a:8080/x", true),
        ("http://a/", "https://a/", false),
        ("http://a/", "http://b/", false),
        ("http://a/", "http://a:8080/", false),
        ("http://a/", "//b", false),
        ("http://127.0.0.1/", "http://localhost/", false),
    ])
    func `tells cursor and credentials within the origin only`(
        from: String, to: String, isSame: Bool
    ) throws {
        var chain = RedirectChain(try Self.request(from, .post, body: [1]))
        let isFollowed = chain.follow(308, to: to)
        try #require(isFollowed)
        #expect(chain.request.lastEventID == (isSame ? "41" : nil))
        let names = chain.request.fields.map(\.name)
        let whole = try Self.request().fields.map(\.name)
        #expect(names == (isSame ? whole : ["Content-Type", "Accept-Language"]))
        #expect(chain.request.body == [1])
    }

    @Test func `tells nothing again on its way back`() throws {
        var chain = RedirectChain(try Self.request("http://a/"))
        for place in ["http://b/", "http://a/"] {
            let isFollowed = chain.follow(302, to: place)
            #expect(isFollowed)
        }
        #expect(chain.request.lastEventID == nil)
        #expect(chain.request.fields.map(\.name) == ["Content-Type", "Accept-Language"])
    }

    @Test(arguments: [
        nil, "", "mailto:b", "ws://a/", "ftp://a/", "http:///x", "http://user:word@a/",
        "http://a:0/", "/with space", "/\u{7F}", "http://é/",
    ])
    func `is not followed where no place is named that can be asked`(_ place: String?) throws {
        var chain = RedirectChain(try Self.request())
        let before = chain
        let isFollowed = chain.follow(302, to: place)
        #expect(!isFollowed)
        #expect(chain == before)
    }

    @Test func `does not lead out of TLS`() throws {
        var chain = RedirectChain(try Self.request("https://a/"))
        let isFollowed = ["http://a/", "https://b/"].map { chain.follow(302, to: $0) }
        #expect(isFollowed == [false, true])
    }

    @Test func `is followed twenty times`() throws {
        var chain = RedirectChain(try Self.request())
        let isFollowed = (1...21).map { chain.follow(302, to: "/\($0)") }
        #expect(isFollowed == Array(repeating: true, count: 20) + [false])
        #expect(chain.request.url.target == "/20")
    }
}
