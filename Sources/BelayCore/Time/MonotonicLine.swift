/// Reads a driver's clock so that time stands still rather than goes back.
///
/// A deadline set while the clock showed too little would fall due as soon as it caught up, and a
/// healthy connection would be closed.
struct MonotonicLine: Hashable, Sendable {
    private var latest: Milliseconds = .min

    /// `now`, or the latest moment seen where the clock stepped back.
    mutating func read(_ now: Milliseconds) -> Milliseconds {
        latest = max(latest, now)
        return latest
    }
}
