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
        /// It says that no way leads there: a rule or route forbids it, or there is none.
        case none(isRefused: Bool)
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

        /// What it lacks to be usable.
        var lack: PathReason? {
            guard !isUsable else { return nil }
            guard route.kind == .unicast else { return .routeRefused }
            return route.isDead || !isLinkRunning ? .noCarrier : .noAddress
        }
    }

    private(set) var v4 = Way.unasked
    private(set) var v6 = Way.unasked
    /// Some link other than the loopback is ready for traffic.
    private(set) var hasRunningLink = false
    /// This machine has an address that an answer from afar could come back to.
    private(set) var hasAddress = false

    /// The answer to the question for the way to `destination`.
    mutating func take(_ way: NetlinkRoute, to destination: IPAddress) {
        set(.found(Route(route: way, destination: destination)), destination.family)
    }

    /// The question for the way to `destination` failed, with the kernel's negative `errno`.
    mutating func takeRefusal(code: Int32, to destination: IPAddress) {
        let isRefused = Self.meansRefused.contains(-code)
        set(
            isRefused || Self.meansNoWay.contains(-code) ? .none(isRefused: isRefused) : .untold,
            destination.family)
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
        if address.address.reach == .beyond { hasAddress = true }
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

    /// Why there is no usable way; nil where there is one, and where the kernel would not say.
    ///
    /// Of several, the last in the order in which a machine gets them: what a person put there goes
    /// first, then what is nearest to being a way.
    var reason: PathReason? {
        switch state {
        case .available, .unknown: return nil
        case .unavailable: return .noCarrier
        case .needsConnection:
            let lacks = [v4, v6].compactMap(lack)
            return PathReason.allCases.last(where: lacks.contains)
                ?? (hasAddress ? .noRoute : .noAddress)
        }
    }

    private func lack(_ way: Way) -> PathReason? {
        switch way {
        case .none(isRefused: true): .routeRefused
        case .found(let found): found.lack
        case .unasked, .untold, .none(isRefused: false): nil
        }
    }

    /// The path that they mean: its state, and by what it leads, so that another network that is
    /// as good is another path. What does not lead it is no part of it.
    var path: Path {
        Path(state: state, v4: leg(v4), v6: leg(v6), reason: reason)
    }

    struct Path: Hashable, Sendable {
        let state: PathState
        var v4: Leg?
        var v6: Leg?
        /// It is shown, and makes no other path.
        var reason: PathReason?

        /// Whether the other is the same path, for whatever reason it leads nowhere.
        func leads(like other: Path) -> Bool {
            (state, v4, v6) == (other.state, other.v4, other.v6)
        }
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

    /// What Linux answers where tables or a protocol that is switched off lead nowhere: ENODEV,
    /// EOPNOTSUPP, EAFNOSUPPORT, EADDRNOTAVAIL, ENETDOWN, ENETUNREACH. With those below, the whole
    /// list: anything else says nothing about the way.
    private static let meansNoWay: Set<Int32> = [19, 95, 97, 99, 100, 101]
    /// Where a route or rule forbids it: EACCES (prohibit), EINVAL (blackhole), EHOSTUNREACH
    /// (unreachable). A rule that says unreachable answers ENETUNREACH, as if nothing were there.
    private static let meansRefused: Set<Int32> = [13, 22, 113]
}
