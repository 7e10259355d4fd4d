import BelayCore

/// Notices when the whole process stands still: then what came late proves nothing.
///
/// It sleeps for short times and looks how long they were. It uses nothing of what is under test.
actor StallGauge {
    private var longestSince: [UInt64: Milliseconds] = [:]
    private var tickets: UInt64 = 0

    /// The gauge's own pace, in milliseconds: what it can tell apart.
    private static let pace: Milliseconds = 20

    /// Gauges until cancelled.
    func run() async {
        let clock = ContinuousClock()
        while !Task.isCancelled {
            let start = clock.now
            // A cancelled sleep ends the loop above.
            try? await clock.sleep(for: .milliseconds(Self.pace))
            let (seconds, attoseconds) = (clock.now - start).components
            let slept = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
            note(slept - Self.pace)
        }
    }

    /// Begins to watch for a scenario.
    func begin() -> UInt64 {
        tickets += 1
        longestSince[tickets] = 0
        return tickets
    }

    /// Ends it: the longest stall since it began, in milliseconds.
    func end(_ ticket: UInt64) -> Milliseconds {
        longestSince.removeValue(forKey: ticket) ?? 0
    }

    private func note(_ excess: Milliseconds) {
        for ticket in longestSince.keys {
            longestSince[ticket] = max(longestSince[ticket] ?? 0, excess)
        }
    }
}
