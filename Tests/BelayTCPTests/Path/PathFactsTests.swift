import BelayCore
import BelayWire
import Testing

@testable import BelayTCP

extension NetlinkLink {
    /// A link as the kernel reports it: up, running, with a carrier.
    static func running(_ index: Int32) -> NetlinkLink {
        NetlinkLink(index: index, flags: 0x1_0043)
    }
    /// The same without its cable.
    static func dead(_ index: Int32) -> NetlinkLink { NetlinkLink(index: index, flags: 0x1003) }
    static let loopback = NetlinkLink(index: 1, flags: 0x1_0049)
}

extension NetlinkAddress {
    static func permanent(_ address: IPAddress, on link: Int32 = 2) -> NetlinkAddress {
        NetlinkAddress(address: address, link: link, flags: 0x80)
    }
}

extension NetlinkRoute {
    static func out(
        by link: Int32? = 2, from source: IPAddress?, kind: Kind = .unicast, flags: UInt32 = 0
    ) -> NetlinkRoute {
        NetlinkRoute(
            kind: kind, family: source?.family ?? .v4, link: link, gateway: nil, source: source,
            flags: flags)
    }
}

extension IPAddress {
    static let far = IPAddress.v4(203, 0, 113, 1)
    static let far6 = IPAddress.v6(0x2001_0DB8 << 32, 1)
    static let own = IPAddress.v4(192, 0, 2, 2)
    static let own6 = IPAddress.v6(0x2001_0DB8 << 32 | 7, 2)
    static let linkLocal6 = IPAddress.v6(0xFE80 << 48, 2)
}

@Suite struct `What a look shows of a path` {
    /// What the kernel answers, and the state that it means.
    struct Case: CustomTestStringConvertible, Sendable {
        enum Answer: Sendable {
            case way(NetlinkRoute, to: IPAddress)
            case refused(Int32, to: IPAddress)
            case link(NetlinkLink)
            case address(NetlinkAddress)
        }

        let testDescription: String
        let state: PathState
        let reason: PathReason?
        let answers: [Answer]

        init(
            _ name: String, _ state: PathState, because reason: PathReason? = nil,
            _ answers: Answer...
        ) {
            (testDescription, self.state, self.reason) = (name, state, reason)
            self.answers = answers
        }

        var facts: PathFacts {
            answers.reduce(into: PathFacts()) { facts, answer in
                switch answer {
                case .way(let route, let destination): facts.take(route, to: destination)
                case .refused(let code, let destination):
                    facts.takeRefusal(code: code, to: destination)
                case .link(let link): facts.take(link)
                case .address(let address): facts.take(address)
                }
            }
        }
    }

    private static let tentative = NetlinkAddress(address: .own6, link: 2, flags: 0xC0)
    private static let duplicate = NetlinkAddress(address: .own6, link: 2, flags: 0x48)

    // P1
    @Test(arguments: [
        Case("nothing", .unavailable, because: .noCarrier),
        Case("only the loopback", .unavailable, because: .noCarrier, .link(.loopback)),
        Case(
            "all that a way needs", .available, .way(.out(from: .own), to: .far),
            .link(.running(2)), .address(.permanent(.own))),
        Case(
            "the same by IPv6", .available, .way(.out(from: .own6), to: .far6),
            .link(.running(2)), .address(.permanent(.own6))),
        Case(
            "a running link without a way", .needsConnection, because: .noAddress,
            .link(.running(2))),
        Case(
            "a running link, and no way", .needsConnection, because: .noAddress,
            .refused(-101, to: .far),
            .link(.running(2))),
        Case(
            "a way by a link that is dead, and no other", .unavailable, because: .noCarrier,
            .way(.out(from: .own), to: .far), .link(.dead(2)), .address(.permanent(.own))),
        Case(
            "a way by a tunnel that is dead, while a cable is there", .needsConnection,
            because: .noCarrier,
            .way(.out(by: 3, from: .own), to: .far), .link(.running(2)), .link(.dead(3)),
            .address(.permanent(.own))),
        Case(
            "a way by a link that is not there any more", .unavailable, because: .noCarrier,
            .way(.out(by: 9, from: .own), to: .far), .address(.permanent(.own))),
        Case(
            "a way that the kernel itself calls dead", .needsConnection, because: .noCarrier,
            .way(.out(from: .own, flags: 16), to: .far), .link(.running(2)),
            .address(.permanent(.own))),
        Case(
            "a way without an address of ours", .needsConnection, because: .noAddress,
            .way(.out(from: nil), to: .far), .link(.running(2)), .address(.permanent(.own))),
        Case(
            "a way from an address that is gone", .needsConnection, because: .noAddress,
            .way(.out(from: .own), to: .far), .link(.running(2))),
        Case(
            "a way from an address of another link", .available,
            .way(.out(from: .own), to: .far), .link(.running(2)),
            .address(.permanent(.own, on: 1))),
        Case(
            "a tentative address", .needsConnection, because: .noAddress,
            .way(.out(from: .own6), to: .far6),
            .link(.running(2)), .address(tentative)),
        Case(
            "an address that somebody else has", .needsConnection, because: .noAddress,
            .way(.out(from: .own6), to: .far6), .link(.running(2)), .address(duplicate)),
        Case(
            "far away from an address that only the link knows", .needsConnection,
            because: .noAddress,
            .way(.out(from: .linkLocal6), to: .far6), .link(.running(2)),
            .address(.permanent(.linkLocal6))),
        Case(
            "from the loopback's address, which the kernel takes where there is no other",
            .needsConnection, because: .noAddress,
            .way(.out(from: .v6(0, 1)), to: .far6), .link(.running(2)),
            .address(.permanent(.v6(0, 1), on: 1))),
        Case(
            "on the link from an address that only the link knows", .available,
            .way(.out(from: .linkLocal6), to: .v6(0xFE80 << 48, 9)), .link(.running(2)),
            .address(.permanent(.linkLocal6))),
        Case(
            "a way that drops what it is given", .needsConnection, because: .routeRefused,
            .way(.out(from: .own, kind: .other), to: .far), .link(.running(2)),
            .address(.permanent(.own))),
        Case(
            "a way by the loopback", .unavailable, because: .noCarrier,
            .way(.out(by: 1, from: .own), to: .far),
            .link(.loopback), .address(.permanent(.own, on: 1))),
        Case(
            "a destination on this machine", .available,
            .way(.out(by: 1, from: .own, kind: .local), to: .far), .link(.loopback)),
        Case(
            "one way of two", .available, .way(.out(from: .own), to: .far),
            .refused(-101, to: .far6), .link(.running(2)), .address(.permanent(.own))),
        Case(
            "one way, and an answer that says nothing", .available,
            .way(.out(from: .own), to: .far), .refused(-1, to: .far6), .link(.running(2)),
            .address(.permanent(.own))),
        Case(
            "an address, and no way", .needsConnection, because: .noRoute,
            .refused(-101, to: .far), .link(.running(2)), .address(.permanent(.own))),
        Case(
            "a rule that forbids it, and an address", .needsConnection, because: .routeRefused,
            .refused(-13, to: .far), .link(.running(2)), .address(.permanent(.own))),
        Case(
            "one way that is forbidden, and one that has no address", .needsConnection,
            because: .routeRefused, .way(.out(from: nil), to: .far), .refused(-113, to: .far6),
            .link(.running(2))),
        Case(
            "one way without an address, and none by the other protocol", .needsConnection,
            because: .noAddress, .refused(-101, to: .far), .way(.out(from: .own6), to: .far6),
            .link(.running(2)), .address(.permanent(.own))),
        Case(
            "a tunnel that is dead by one protocol, and no address by the other", .needsConnection,
            because: .noAddress, .way(.out(by: 3, from: .own), to: .far),
            .way(.out(from: .own6), to: .far6), .link(.running(2)), .link(.dead(3))),
        Case(
            "the same the other way round", .needsConnection, because: .noAddress,
            .way(.out(from: .own), to: .far), .way(.out(by: 3, from: .own6), to: .far6),
            .link(.running(2)), .link(.dead(3))),
        Case(
            "a blackhole, and no cable", .unavailable, because: .noCarrier,
            .refused(-22, to: .far), .link(.dead(2))),
        Case(
            "no way, and an answer that says nothing", .unknown, .refused(-101, to: .far),
            .refused(-1, to: .far6), .link(.running(2))),
    ])
    func `means a state`(_ test: Case) {
        #expect(test.facts.state == test.state)
        #expect(test.facts.path.state == test.state)
        #expect(test.facts.reason == test.reason)
        #expect(test.facts.path.reason == test.reason)
    }

    @Test(arguments: [-13, -19, -22, -95, -97, -99, -100, -101, -113] as [Int32])
    func `holds no way where the kernel says so`(_ code: Int32) {
        var facts = PathFacts()
        facts.takeRefusal(code: code, to: .far)
        #expect(facts.state == .unavailable)
    }

    @Test(arguments: [-1, -4, -11, -12, -105] as [Int32])
    func `is unknown where the kernel does not say`(_ code: Int32) {
        var facts = PathFacts()
        facts.takeRefusal(code: code, to: .far)
        #expect(facts.state == .unknown)
    }

    @Test func `is another path by another link, source or gateway, and by nothing else`() {
        func path(_ route: NetlinkRoute, _ others: Case.Answer...) -> PathFacts.Path {
            var test = PathFacts()
            test.take(route, to: .far)
            for link in [2, 3] as [Int32] { test.take(.running(link)) }
            for address in [IPAddress.own, .v4(192, 0, 2, 3)] { test.take(.permanent(address)) }
            for case .refused(let code, let to) in others { test.takeRefusal(code: code, to: to) }
            return test.path
        }
        let first = path(.out(from: .own))
        #expect(path(.out(by: 3, from: .own)) != first)
        #expect(path(.out(from: .v4(192, 0, 2, 3))) != first)
        #expect(
            path(
                NetlinkRoute(
                    kind: .unicast, family: .v4, link: 2, gateway: .v4(192, 0, 2, 1), source: .own,
                    flags: 0)) != first)
        #expect(path(.out(from: .own, flags: 0x200)) == first)
        #expect(path(.out(from: .own), .refused(-101, to: .far6)) == first)
        #expect(path(.out(from: .own), .refused(-1, to: .far6)) == first)
    }
}
