import BelayCore
import BelayWire

/// What one look at the kernel showed, and the state of the path that it means.
///
/// Holds only what the ways that were found lead by, whatever number of links and addresses there
/// is.
struct PathFacts: Hashable, Sendable {
    /// The way to one destination.
    enum Way: Hashable, Sendable {
        /// No answer yet, or no such destination.
        case unasked
        /// The kernel would not say.
        case untold
        /// It says that no way leads there.
        case none
        case found(Route)
    }

    /// A way, with what the dumps of links and addresses say of it.
    struct Route: Hashable, Sendable {
        let route: NetlinkRoute
        let destination: IPAddress
        /// The link is up, and its cable, radio or process is there. The kernel also keeps routes
        /// by links that are dead.
        var isLinkRunning = false
        /// The address it would come from is one that may be used, and reaches as far.
        var hasSource = false

        /// Whether a packet would leave, and could be answered.
        var isUsable: Bool {
            switch route.kind {
            case .local: true
            case .unicast: !route.isDead && isLinkRunning && hasSource
            case .other: false
            }
        }
    }

    private(set) var v4 = Way.unasked
    private(set) var v6 = Way.unasked
    /// Some link other than the loopback is ready for traffic.
    private(set) var hasRunningLink = false

    /// The answer to the question for the way to `destination`.
    mutating func take(_ way: NetlinkRoute, to destination: IPAddress) {
        set(.found(Route(route: way, destination: destination)), destination.family)
    }

    /// The question for the way to `destination` failed, with the kernel's negative `errno`.
    mutating func takeRefusal(code: Int32, to destination: IPAddress) {
        set(Self.meansNoWay.contains(-code) ? .none : .untold, destination.family)
    }

    /// One of the links.
    mutating func take(_ link: NetlinkLink) {
        guard link.isRunning, !link.isLoopback else { return }
        hasRunningLink = true
        update { way in
            if way.route.link == link.index { way.isLinkRunning = true }
        }
    }

    /// One of the addresses.
    mutating func take(_ address: NetlinkAddress) {
        guard address.isUsable else { return }
        update { way in
            guard way.route.source == address.address else { return }
            // Where only this machine or one link knows it, nothing comes back from farther. The
            // kernel would take ::1 until a better one has passed duplicate address detection.
            way.hasSource = address.address.reach >= way.destination.reach
        }
    }

    /// The state that these facts mean, once the look is complete.
    ///
    /// | a usable way | the kernel would not say | a running link | state |
    /// |---|---|---|---|
    /// | yes | | | available |
    /// | no | yes | | unknown |
    /// | no | no | yes | needsConnection: DHCP or a dial may be under way, a tunnel may come |
    /// | no | no | no | unavailable |
    var state: PathState {
        if leg(v4) != nil || leg(v6) != nil { return .available }
        if v4 == .untold || v6 == .untold { return .unknown }
        return hasRunningLink ? .needsConnection : .unavailable
    }

    /// The path that they mean: its state, and by what it leads, so that another network that is
    /// as good is another path. What does not lead it is no part of it.
    var path: Path {
        Path(state: state, v4: leg(v4), v6: leg(v6))
    }

    struct Path: Hashable, Sendable {
        let state: PathState
        var v4: Leg?
        var v6: Leg?
    }

    /// By what a usable way leads.
    struct Leg: Hashable, Sendable {
        let link: Int32?
        let gateway: IPAddress?
        let source: IPAddress?
    }

    private func leg(_ way: Way) -> Leg? {
        guard case .found(let found) = way, found.isUsable else { return nil }
        return Leg(link: found.route.link, gateway: found.route.gateway, source: found.route.source)
    }

    private mutating func set(_ way: Way, _ family: IPAddress.Family) {
        switch family {
        case .v4: v4 = way
        case .v6: v6 = way
        }
    }

    private mutating func update(_ change: (inout Route) -> Void) {
        for family in IPAddress.Family.allCases {
            guard case .found(var route) = family == .v4 ? v4 : v6 else { continue }
            change(&route)
            set(.found(route), family)
        }
    }

    /// What Linux answers where rules, tables or a protocol that is switched off lead nowhere:
    /// EACCES (prohibit), ENODEV, EINVAL (blackhole), EOPNOTSUPP, EAFNOSUPPORT, EADDRNOTAVAIL,
    /// ENETDOWN, ENETUNREACH, EHOSTUNREACH. Anything else says nothing about the way.
    private static let meansNoWay: Set<Int32> = [13, 19, 22, 95, 97, 99, 100, 101, 113]
}
