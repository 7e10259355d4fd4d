/// Numbers the attempts of one connection; tells a late callback from a current one.
///
/// Each transport is created with a generation greater than all before it, also when it never
/// opened. Whatever that transport later says carries the number captured at creation, never the
/// current one read on arrival.
public struct Generation: Hashable, Comparable, Sendable {
    /// The place in the order, counted from 1; 0 before the first attempt.
    public let number: UInt64

    /// Before the first attempt. No transport is ever created with it.
    public static let zero = Generation(0)

    /// The generation with this place in the order, for tests, replays and evidence.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// The one after this.
    ///
    /// 2⁶⁴ attempts at one each nanosecond last 584 years, so the addition may trap.
    public var next: Generation { Generation(number + 1) }

    /// Orders generations by age: a stale one is less than the current one.
    public static func < (older: Generation, newer: Generation) -> Bool {
        older.number < newer.number
    }
}

extension Generation: CustomStringConvertible {
    /// The number after a `g`, as evidence and logs write it: `g3`.
    public var description: String { "g\(number)" }
}
