package import BelayCore
package import BelayTransport
import Dispatch

/// A serial domain on a Dispatch queue: where Apple's systems have their sessions report.
package final class DispatchDomain: SerialExecutor, SerialDomain {
    /// The domain that all connections of this room share where they are given none.
    package static let shared = DispatchDomain(label: "Belay")

    /// Where the domain's work runs, for what reports on a queue that it is given.
    let queue: DispatchQueue
    /// Marks the queue, so that a caller can be asked whether it is on it.
    private let mark = DispatchSpecificKey<Bool>()

    /// A domain on a queue of its own; `label` is what tools call it.
    package init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        queue.setSpecific(key: mark, value: true)
    }

    // MARK: Domain

    package var executor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    package var now: Milliseconds { DispatchTime.now().milliseconds }

    package func submit(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    package func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any DeadlineTimer {
        DispatchDeadlineTimer(on: queue, fire)
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    package func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: mark) == true
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

extension DispatchTime {
    /// Whole milliseconds, rounded down: a deadline is never reached early.
    var milliseconds: Milliseconds { Milliseconds(uptimeNanoseconds / 1_000_000) }
}
