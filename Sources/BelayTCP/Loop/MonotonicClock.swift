import BelayCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The system's clock that never goes back.
enum MonotonicClock {
    /// Whole milliseconds, rounded down: a deadline is never reached early.
    static var now: Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Milliseconds(time.tv_sec) * 1_000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}
