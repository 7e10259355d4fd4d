import Testing

@testable import BelayTCP

@Suite struct `A socket address` {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80", true), ("127.9.8.7", "127.9.8.7:80", true),
        ("0.0.0.0", "0.0.0.0:80", false), ("192.0.2.255", "192.0.2.255:80", false),
        ("::1", "[::1]:80", true), ("::", "[::]:80", false),
        ("2001:DB8:0::5", "[2001:db8::5]:80", false), ("fe80::1%7", "[fe80::1%7]:80", false),
        ("::ffff:192.0.2.1", "[::ffff:192.0.2.1]:80", false),
    ])
    func `is read and written`(
        _ text: String, _ written: String, _ isLoopback: Bool
    ) throws {
        let address = try #require(SocketAddress(numeric: text, port: 80))
        #expect(address.description == written)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: ["", "localhost", "127.1", "127.0.0.256", "1.2.3.4:5", "[::1]", "::1%", ":"])
    func `is numeric or nothing`(_ text: String) {
        #expect(SocketAddress(numeric: text, port: 80) == nil)
    }

    @Test(arguments: ["127.0.0.1", "2001:db8::5", "fe80::1%7"])
    func `survives the system's form`(_ text: String) throws {
        let address = try #require(SocketAddress(numeric: text, port: 65_535))
        #expect(address.withRaw { raw, _ in SocketAddress(raw) } == address)
    }
}
