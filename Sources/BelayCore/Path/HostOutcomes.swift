/// How the newest request to each host ended: one server's failure says nothing of another.
///
/// It lasts as long as the program, and is bounded: the host that was asked longest ago is
/// forgotten first.
public struct HostOutcomes: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let host: String
        var outcome: RequestOutcome
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

    /// A request to `host` ended.
    public mutating func record(_ outcome: RequestOutcome, of host: String) {
        let host = host.lowercased()
        entries.removeAll { $0.host == host }
        if entries.count == limit { entries.removeFirst() }
        entries.append(Entry(host: host, outcome: outcome))
    }
}
