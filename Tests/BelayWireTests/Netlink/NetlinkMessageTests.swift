import Testing

@testable import BelayWire

@Suite struct `A netlink message` {
    @Test(
        arguments: [
            (0x1_0043, true), (0x1_0042, false), (0x1_0003, false), (0x43, false), (0x1_0049, true),
        ] as [(UInt32, Bool)])
    func `shows a link as running only with its switch, its readiness and its carrier`(
        _ flags: UInt32, _ isRunning: Bool
    ) {
        let link = NetlinkLink(index: 1, flags: flags)
        #expect(link.isRunning == isRunning)
        #expect(link.isLoopback == (flags & 8 != 0))
    }

    // Permanent, tentative, optimistic, a duplicate, deprecated, tentative and a duplicate.
    @Test(
        arguments: [
            (0x80, true), (0x40, false), (0x44, true), (0x08, false), (0x20, true), (0x4C, false),
        ] as [(UInt32, Bool)])
    func `shows an address as usable once it is known to be nobody else's`(
        _ flags: UInt32, _ isUsable: Bool
    ) {
        let address = NetlinkAddress(address: .v6(1, 1), link: 1, flags: flags)
        #expect(address.isUsable == isUsable)
    }

    @Test(arguments: [(0, false), (0x200, false), (1, true), (16, true)] as [(UInt32, Bool)])
    func `shows a route as dead that the kernel keeps for a link that is down`(
        _ flags: UInt32, _ isDead: Bool
    ) {
        let route = NetlinkRoute(
            kind: .unicast, family: .v4, link: 1, gateway: nil, source: nil, flags: flags)
        #expect(route.isDead == isDead)
    }
}
