import BelayTransport
import Testing

@Suite struct `An address to connect to` {
    struct Case: CustomTestStringConvertible {
        let text: String
        let scheme: ConnectionURL.Scheme
        let host: String
        let port: UInt16
        let target: String
        let authority: String
        var testDescription: String { text }

        init(
            _ text: String, _ scheme: ConnectionURL.Scheme, _ host: String, _ port: UInt16,
            _ target: String, authority: String
        ) {
            (self.text, self.scheme, self.host, self.port) = (text, scheme, host, port)
            (self.target, self.authority) = (target, authority)
        }
    }

    @Test(arguments: [
        Case("ws://127.0.0.1:8765/ws", .ws, "127.0.0.1", 8765, "/ws", authority: "127.0.0.1:8765"),
        Case("WSS://Example.COM", .wss, "example.com", 443, "/", authority: "example.com"),
        Case("http://h?x=1", .http, "h", 80, "/?x=1", authority: "h"),
        Case("http://h:/a#b", .http, "h", 80, "/a", authority: "h"),
        Case("https://[::1]:8/a?b", .https, "::1", 8, "/a?b", authority: "[::1]:8"),
        Case("https://h:443/", .https, "h", 443, "/", authority: "h"),
    ])
    func `is read into its parts`(_ expected: Case) throws {
        let url = try ConnectionURL(expected.text)
        #expect(url.scheme == expected.scheme)
        #expect(url.host == expected.host)
        #expect(url.port == expected.port)
        #expect(url.target == expected.target)
        #expect(url.authority == expected.authority)
    }

    @Test(
        arguments: [
            ("", .scheme), ("example.com", .scheme), ("ftp://h/", .scheme), ("ws:/h", .scheme),
            ("ws://", .host), ("ws://:80/", .host), ("ws://a,b/", .host), ("ws://[::1/", .host),
            ("ws://h:0/", .port), ("ws://h:65536/", .port), ("ws://h:+1/", .port),
            ("ws://[::1]80/", .port), ("ws://u:p@h/", .userInformation), ("ws://h/#f", .fragment),
            ("ws://h/a b", .byte(offset: 8)), ("ws://h/é", .byte(offset: 7)),
        ] as [(String, ConnectionURL.Invalid)])
    func `is refused with the part that is wrong`(_ text: String, _ reason: ConnectionURL.Invalid) {
        #expect(throws: reason) { try ConnectionURL(text) }
    }

    @Test func `is described without its query, which may carry a token`() throws {  // W22
        let url = try ConnectionURL("wss://h/path?token=secret")
        #expect(url.description == "wss://h/path")
    }
}
