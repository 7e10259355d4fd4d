import Belay
import BelayCore
import BelayWire

/// The app behind an event stream: a store that applies each id once, and fails as it is told.
actor ScriptedApp {
    private let script: HandlerScript
    private let record: @Sendable (AppRecord.Event) -> Void
    private var applied: Set<EventID> = []
    private var failures: [String: (before: Int, after: Int)] = [:]

    init(_ script: HandlerScript, record: @escaping @Sendable (AppRecord.Event) -> Void) {
        self.script = script
        self.record = record
    }

    /// How it takes events.
    nonisolated var form: HandlerScript.Form { script.form }

    /// What a scenario's handler throws.
    struct Failure: Error {}

    /// Handles one event, or throws.
    func handle(_ event: ServerSentEvent) async throws {
        let id = event.id.flatMap { EventID($0) }
        let name = id?.text ?? "-"
        record(.handling(id))
        if script.hangsOn == name {
            // Longer than any scenario: it ends by cancellation.
            try await Task.sleep(for: .seconds(3_600))
        }
        if script.pause > 0 { try await Task.sleep(for: .milliseconds(script.pause)) }
        var failed = failures[name] ?? (0, 0)
        defer { failures[name] = failed }
        if failed.before < script.failuresBefore[name] ?? 0 {
            failed.before += 1
            throw Failure()
        }
        if script.passesOver.contains(name) { throw SkipEvent() }
        apply(id, byteCount: event.data.utf8.count)
        if failed.after < script.failuresAfter[name] ?? 0 {
            failed.after += 1
            throw Failure()
        }
    }

    private func apply(_ id: EventID?, byteCount: Int) {
        if script.deduplicates, let id {
            guard applied.insert(id).inserted else { return }
        }
        record(.applied(id, byteCount: byteCount))
    }
}
