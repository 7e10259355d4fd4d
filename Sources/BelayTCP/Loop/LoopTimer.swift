package import BelayCore
import BelayTransport

/// One deadline on the loop's wheel. Letting it go disarms it, on whichever thread that happens.
package final class LoopTimer: DeadlineTimer {
    private let loop: EventLoop
    private let id: TimerWheel.ID

    /// A disarmed timer that calls `fire` on the loop. The loop keeps `fire` as long as the timer
    /// lives. Call on the loop.
    package init(on loop: EventLoop, _ fire: @escaping () -> Void) {
        self.loop = loop
        id = loop.addTimer(fire)
    }

    deinit {
        // An actor that owns the timer may be let go anywhere; the wheel is the loop's own. Until
        // the loop hears of it the timer may fire, as the port allows.
        guard !loop.isOnLoop else { return loop.removeTimer(id) }
        loop.submit { [loop, id] in loop.removeTimer(id) }
    }

    package func arm(at deadline: Milliseconds?) {
        loop.arm(id, at: deadline)
    }
}
