/// Which of a counted row of things is meant: the connections of a listener, the pings of a
/// connection.
///
/// Counted from 1. In JSON: `2`, `"every"`, `{"first": 3}` or `{"from": 4}`.
public enum Occurrence: Hashable, Sendable {
    /// Each of them.
    case every
    /// The first so many.
    case first(Int)
    /// This one and all after it.
    case from(Int)
    /// This one alone.
    case only(Int)

    /// Whether the thing with this number is meant.
    public func contains(_ number: Int) -> Bool {
        switch self {
        case .every: true
        case .first(let count): number <= count
        case .from(let start): number >= start
        case .only(let one): number == one
        }
    }
}

extension Occurrence: ExpressibleByIntegerLiteral {
    /// This one alone.
    public init(integerLiteral value: Int) {
        self = .only(value)
    }
}
