import Dispatch
import Foundation

/// Turns SIGINT and SIGTERM into the cancellation of a task, so that everything ends in order.
enum Interruption {
    /// Does `work`; answers what came of it, and whether it was interrupted.
    static func watched<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) async -> (Value, isInterrupted: Bool) {
        let task = Task { await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)  // Dispatch sees a signal only where it is not acted upon.
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.activate()
            return source
        }
        let value = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        for source in sources { source.cancel() }
        return (value, task.isCancelled)
    }
}
