import BelayAcceptance

/// One line that is written again and again for a person; nothing in a pipe.
struct ProgressLine: Sendable {
    private let total: Int
    private let stream: Terminal.Stream

    /// Begins the line again, and wipes what stood there.
    private static let again = "\r\u{1B}[K"

    init(of total: Int, on stream: Terminal.Stream) {
        self.total = total
        self.stream = stream
    }

    func show(_ results: [ScenarioResult]) {
        guard stream.isTerminal, let newest = results.last else { return }
        let failed = results.count { $0.verdict == .failed }
        let trouble = failed > 0 ? ", \(failed) failed" : ""
        stream.write("\(Self.again)\(results.count) of \(total)\(trouble): \(newest.scenario.id)")
    }

    func clear() {
        guard stream.isTerminal else { return }
        stream.write(Self.again)
    }
}
