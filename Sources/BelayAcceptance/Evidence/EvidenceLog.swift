import BelayCore
import Synchronization

/// Collects the client's side while a scenario runs, and wakes who waits for something in it.
///
/// Bounded: the oldest are kept, the rest is counted, and a scenario with omitted entries is
/// inconclusive.
final class EvidenceLog: Sendable {
    private struct Waiter {
        let condition: Condition
        var missing: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var entries: [ClientEntry] = []
        var omitted = 0
        var waiters: [UInt64: Waiter] = [:]
        var tickets: UInt64 = 0
    }

    private let state = Mutex(State())
    /// The most entries that are kept. A scenario has some hundreds; a runaway client must not
    /// fill the memory of the whole run.
    private let limit: Int

    init(limit: Int = 100_000) {
        self.limit = limit
    }

    /// What was collected so far.
    var evidence: Evidence {
        state.withLock { Evidence(client: $0.entries, omitted: $0.omitted) }
    }

    func append(_ entry: ClientEntry) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            if state.entries.count < limit {
                state.entries.append(entry)
            } else {
                state.omitted += 1
            }
            var woken: [CheckedContinuation<Void, Never>] = []
            for (ticket, var waiter) in state.waiters where waiter.condition.matches(entry) {
                waiter.missing -= 1
                state.waiters[ticket] = waiter.missing > 0 ? waiter : nil
                if waiter.missing == 0 { woken.append(waiter.continuation) }
            }
            return woken
        }
        for continuation in woken { continuation.resume() }
    }

    /// Returns once the condition was met, at any time of the scenario, or when cancelled.
    func wait(for condition: Condition) async {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let found = state.entries.count { condition.matches($0) }
                    let missing = condition.times - found
                    guard missing > 0, !Task.isCancelled else { return true }
                    state.waiters[ticket] = Waiter(
                        condition: condition, missing: missing, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?.continuation.resume()
        }
    }
}
