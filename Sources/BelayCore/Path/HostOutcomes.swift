/// How the newest request to each host ended: one server's failure says nothing of another.
///
/// It lasts as long as the program, and is bounded: the host that was asked longest ago is
/// forgotten first. Whether a missing path is contradicted is a host's own, too: one in the local
/// network, or behind a VPN, answers without a way to any other.
public struct HostOutcomes: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let host: String
        let outcome: RequestOutcome
        var contradiction = PathContradiction()
    }

    /// How many hosts are remembered.
    public let limit: Int
    /// The one asked most recently comes last.
    private var entries: [Entry] = []

    /// No host was asked yet. `limit`, at least 1, is 64 by default: more hosts than an app has.
    public init(limit: Int = 64) {
        precondition(limit >= 1, "limit \(limit): at least 1")
        self.limit = limit
    }

    /// How the newest request to `host` ended; `.none` for one that was not asked, or forgotten.
    /// Names are compared without their case. Source: RFC 9110 §4.2.3.
    public subscript(host: String) -> RequestOutcome {
        let host = host.lowercased()
        return entries.last { $0.host == host }?.outcome ?? .none
    }

    /// The hosts that are remembered, the one asked most recently last.
    public var hosts: [String] { entries.map { $0.host } }

    /// A request to `host` ended, while the hint said this; leave it out where no path is watched.
    public mutating func record(
        _ outcome: RequestOutcome, of host: String, under hint: NetworkHint = NetworkHint()
    ) {
        var entry = Entry(host: host.lowercased(), outcome: outcome)
        if outcome == .succeeded { entry.contradiction.succeeded(under: hint) }
        entries.removeAll { $0.host == entry.host }
        if entries.count == limit { entries.removeFirst() }
        entries.append(entry)
    }

    /// The hint is another one now: a success of before contradicts no other path.
    public mutating func hintChanged(from old: NetworkHint, to new: NetworkHint) {
        for index in entries.indices {
            entries[index].contradiction.hintChanged(from: old, to: new)
        }
    }

    /// The banner for a screen that is about `host`, under the present hint.
    public func banner(of host: String, on hint: NetworkHint) -> Banner {
        let host = host.lowercased()
        let entry = entries.last { $0.host == host }
        return Banner(
            path: hint.state, outcome: entry?.outcome ?? .none,
            isContradicted: entry?.contradiction.stands ?? false)
    }
}
