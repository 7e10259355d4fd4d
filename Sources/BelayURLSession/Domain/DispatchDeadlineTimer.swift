import BelayCore
import BelayTransport
import Dispatch

/// One deadline of a domain on a Dispatch queue. Letting it go disarms it, on whichever thread.
final class DispatchDeadlineTimer: DeadlineTimer {
    private let source: any DispatchSourceTimer

    /// A disarmed timer that calls `fire` on `queue`.
    init(on queue: DispatchQueue, _ fire: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: fire)
        // One that was never activated may not be let go.
        source.activate()
    }

    deinit {
        source.cancel()
    }

    func arm(at deadline: Milliseconds?) {
        guard let deadline else { return source.schedule(deadline: .distantFuture) }
        source.schedule(deadline: DispatchTime(deadline))
    }
}

extension DispatchTime {
    /// The first moment at which the domain's clock shows `deadline`; one that no clock will ever
    /// show is in the distant future.
    init(_ deadline: Milliseconds) {
        let (nanoseconds, overflow) = deadline.multipliedReportingOverflow(by: 1_000_000)
        // The system's timer may count coarser than nanoseconds, so as not to be early.
        self =
            overflow
            ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(max(0, nanoseconds)) + 1_000)
    }
}
