package import BelayTransport

/// What a test waited for did not come: the wait ends by this, and the test with it.
///
/// A wait without an end would take the whole run with it, and say nothing of where.
package struct WaitedInVain: Error, CustomStringConvertible {
    /// For how long a test waits by default. Far longer than anything takes, also on a machine
    /// that is busy with other things: only what never comes is given up.
    package static let limit = Duration.seconds(60)

    package let description: String

    /// The reason, behind the line of the test that waited.
    package init(_ reason: String, file: String, line: Int) {
        description = "\(file):\(line): \(reason)"
    }
}

extension Answer<Bool> {
    /// Waits until it is answered by `true`.
    ///
    /// - Throws: `WaitedInVain` where it is not within `limit`, is answered by `false`, or the
    ///   waiting task is cancelled, as a test's time limit does.
    package func wait(
        within limit: Duration = WaitedInVain.limit, file: String = #fileID, line: Int = #line
    ) async throws(WaitedInVain) {
        let patience = Task {
            // Cancelled as soon as the wait is over.
            try? await Task.sleep(for: limit)
            give(false)
        }
        defer { patience.cancel() }
        guard await value(ifCancelled: false) else {
            throw WaitedInVain(
                "what was waited for did not come within \(limit)", file: file, line: line)
        }
    }
}
