import BelayWire
import Testing

@testable import BelayTCP

@Suite struct `Where a path is to lead to` {
    @Test(
        arguments: [
            ("192.0.2.1", .v4(192, 0, 2, 1)), ("2001:db8::1", .v6(0x2001_0DB8 << 32, 1)),
            ("fe80::2", .v6(0xFE80 << 48, 2)),
        ] as [(String, IPAddress)])
    func `is one numeric address`(_ text: String, _ address: IPAddress) throws {
        let destinations = try #require(PathDestinations(numeric: text))
        #expect(destinations == PathDestinations(address))
        #expect([destinations.v4, destinations.v6].compactMap { $0 } == [address])
    }

    @Test(arguments: ["", "example.org", "192.0.2", "192.0.2.1:80", "[::1]"])
    func `is no name`(_ text: String) {
        #expect(PathDestinations(numeric: text) == nil)
    }

    @Test func `is anywhere by both protocols`() {
        #expect(PathDestinations.anywhere.v4 == .v4(203, 0, 113, 1))
        #expect(PathDestinations.anywhere.v6?.family == .v6)
    }
}
