/// A moment or a length on the driver's monotonic line, in integer milliseconds.
///
/// Core never reads a clock: every timed call is passed `now`, and what it answers is data.
/// `Int64` because `Int` has 32 bits on wasm32, and 2³¹ ms are less than 25 days.
public typealias Milliseconds = Int64

extension Milliseconds {
    /// The moment no clock reaches; a sum that overflows becomes it.
    ///
    /// A plain saturated sum would be *reached* by a clock at its end, and a healthy connection
    /// closed by arithmetic.
    package static var never: Milliseconds { .max }

    /// This moment, moved by `length`; `never` where the sum does not fit or the length is endless.
    package func moved(by length: Milliseconds) -> Milliseconds {
        guard length != .never else { return .never }
        let (sum, overflow) = addingReportingOverflow(length)
        guard overflow else { return sum }
        return length < 0 ? .min : .never
    }

    /// How long ago `start` was at this moment, at least 0; `never` where it does not fit.
    package func elapsed(since start: Milliseconds) -> Milliseconds {
        let (difference, overflow) = subtractingReportingOverflow(start)
        return overflow ? (self < start ? 0 : .never) : Swift.max(0, difference)
    }

    /// Whether a clock that shows `now` has come to this moment. A moment is reached *at* its
    /// own millisecond: a pong at the deadline is late (requirement W9).
    package func isReached(at now: Milliseconds) -> Bool {
        self != .never && now >= self
    }
}
