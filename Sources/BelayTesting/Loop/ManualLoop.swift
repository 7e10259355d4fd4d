public import BelayCore
public import BelayTransport
import Synchronization

/// A serial domain that runs when a test says so, in virtual time, on the test's own thread.
///
/// Actors of the domain, tasks with `executorPreference`, timers and submitted work all wait for
/// `run` or `advance`. Nothing is left to chance: the same calls give the same order.
///
/// ```swift
/// let loop = ManualLoop()
/// let task = Task(executorPreference: loop) { for await event in chat.events { … } }
/// loop.run()                  // everything that can happen now has happened
/// loop.advance(by: 25_000)    // and so has everything of the next 25 seconds
/// ```
public final class ManualLoop: SerialExecutor, TaskExecutor, SerialDomain {
    /// What waits for a turn.
    private enum Turn {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private struct State {
        var now: Milliseconds
        var turns: [Turn] = []
        /// Armed timers by number; numbers rise, so equal deadlines fire in order of arming.
        var timers: [UInt64: (deadline: Milliseconds, fire: @Sendable () -> Void)] = [:]
        var armings: UInt64 = 0
        /// The thread that runs the loop now.
        var thread: ThreadIdentity?
    }

    private let state: Mutex<State>

    /// A loop whose clock shows `now`, in milliseconds.
    public init(now: Milliseconds = 0) {
        state = Mutex(State(now: now))
    }

    // MARK: Driving

    /// The moment the loop's clock shows.
    public var now: Milliseconds { state.withLock { $0.now } }

    /// Runs turns until none is left. Timers that are due fire too.
    public func run() {
        advance(to: now)
    }

    /// Lets `length` milliseconds pass, deadline by deadline.
    public func advance(by length: Milliseconds) {
        advance(to: now.addingClamped(length))
    }

    /// Lets time pass until `moment`, deadline by deadline; a moment in the past runs what is due.
    ///
    /// One thread drives at a time; a turn may drive the loop itself.
    public func advance(to moment: Milliseconds) {
        let previous = state.withLock { state in
            precondition(
                state.thread == nil || state.thread == .current,
                "another thread drives this ManualLoop")
            defer { state.thread = .current }
            return state.thread
        }
        defer { state.withLock { $0.thread = previous } }
        while let turn = nextTurn(until: moment) {
            switch turn {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .work(let work): work()
            }
        }
        state.withLock { $0.now = max($0.now, moment) }
    }

    /// The clock goes on by `length` milliseconds and nothing runs, as if the program were stopped
    /// for so long. What fell due meanwhile fires late, when the loop is next driven.
    public func sleepThrough(_ length: Milliseconds) {
        state.withLock { $0.now = $0.now.addingClamped(length) }
    }

    /// The next turn that waits, or the next timer that is due by `moment`.
    private func nextTurn(until moment: Milliseconds) -> Turn? {
        state.withLock { state in
            if !state.turns.isEmpty { return state.turns.removeFirst() }
            let next = state.timers.min {
                ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
            }
            guard let next, next.value.deadline <= moment else { return nil }
            state.timers[next.key] = nil
            state.now = max(state.now, next.value.deadline)
            return .work(next.value.fire)
        }
    }

    // MARK: Domain

    /// Actors on this executor run when the loop is driven.
    public var executor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    /// Runs `work` when the loop is next driven.
    public func submit(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.turns.append(.work(work)) }
    }

    /// A timer on the loop's virtual time.
    public func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any DeadlineTimer {
        ManualTimer(loop: self, fire: fire)
    }

    /// How many deadlines are armed: a test sees that none is left behind.
    public var armedTimers: Int { state.withLock { $0.timers.count } }

    fileprivate func arm(
        replacing old: UInt64?, at deadline: Milliseconds?, _ fire: @escaping @Sendable () -> Void
    ) -> UInt64? {
        state.withLock { state in
            if let old { state.timers[old] = nil }
            guard let deadline else { return nil }
            state.armings += 1
            state.timers[state.armings] = (deadline, fire)
            return state.armings
        }
    }

    // MARK: Executor

    /// Queues a job; it runs when the loop is next driven.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.turns.append(.job(job)) }
    }

    /// This loop as a serial executor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// This loop as a task executor.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Whether the caller is in the domain: the loop is being driven on this thread.
    public func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.thread == .current }
    }

    /// Stops the program where the caller is not in the domain.
    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not in this ManualLoop's domain")
    }
}

private final class ManualTimer: DeadlineTimer {
    private let loop: ManualLoop
    private let fire: @Sendable () -> Void
    private var arming: UInt64?

    init(loop: ManualLoop, fire: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.fire = fire
    }

    deinit {
        _ = loop.arm(replacing: arming, at: nil, fire)
    }

    func arm(at deadline: Milliseconds?) {
        arming = loop.arm(replacing: arming, at: deadline, fire)
    }
}

extension Milliseconds {
    /// The sum, or the end of time where it does not fit.
    fileprivate func addingClamped(_ length: Milliseconds) -> Milliseconds {
        let (sum, overflow) = addingReportingOverflow(length)
        return overflow ? (length < 0 ? .min : .max) : sum
    }
}
