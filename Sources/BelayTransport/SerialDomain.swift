public import BelayCore

/// The one serial domain that a driver, its transports and its timers share.
///
/// An event loop on Linux, a serial Dispatch queue on Apple's systems, a hand-cranked loop in
/// tests. A driver is an actor on this executor, so whatever a transport reports enters it
/// without a hop: no queue stands between an event and the generation check (law 5).
public protocol SerialDomain: AnyObject, Sendable {
    /// Where actors of this domain run. Callbacks of its transports and timers are already there.
    var executor: UnownedSerialExecutor { get }

    /// The present moment of the domain's monotonic line. It never goes back. Any thread may ask.
    var now: Milliseconds { get }

    /// Runs `work` in the domain, in a later turn, in the order of the calls. Any thread may call.
    func submit(_ work: @escaping @Sendable () -> Void)

    /// A timer that calls `fire` in the domain. Call from within the domain.
    ///
    /// It keeps `fire` until it is itself let go; letting it go disarms it.
    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any DeadlineTimer
}

/// One deadline of one machine: armed again whenever `nextDeadline` changed.
///
/// It may fire late, and once more after it was disarmed: its owner decides by the clock.
public protocol DeadlineTimer: AnyObject {
    /// Fires once, as soon as the domain's clock shows `deadline`; `nil` disarms.
    func arm(at deadline: Milliseconds?)
}
