public import BelayCore

/// How far a process fell behind the clock while a scenario ran, in milliseconds.
public struct Slowness: Hashable, Sendable {
    /// The longest time for which it stood still.
    public private(set) var longest: Milliseconds
    /// All such times together.
    public private(set) var total: Milliseconds

    /// From this length on one stall excuses what came late.
    ///
    /// Below the shortest time that a scenario gives a client or a peer that does as it should.
    public static let stallLimit: Milliseconds = 100
    /// From this part of a scenario's duration on, its many short stalls do: a quarter.
    public static let lostPart: Milliseconds = 4

    /// By default none.
    public init(longest: Milliseconds = 0, total: Milliseconds = 0) {
        self.longest = longest
        self.total = total
    }

    /// One sleep was so much longer than it should have been.
    mutating func add(_ excess: Milliseconds) {
        longest = max(longest, excess)
        total += max(0, excess)
    }

    /// Why what came late within `duration` proves nothing; `nil` where it proves something.
    func excuse(within duration: Milliseconds) -> String? {
        if longest >= Self.stallLimit { return "the machine stood still for \(longest) ms" }
        guard duration > 0, total * Self.lostPart >= duration else { return nil }
        return "the machine lost \(total) of \(duration) ms"
    }
}
