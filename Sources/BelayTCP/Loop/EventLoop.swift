package import BelayCore
package import BelayTransport
import Synchronization

/// One thread with its sockets, its timers and the actors that run on it.
///
/// An actor with this executor is entered from callbacks by `assumeIsolated`: no hop and no task
/// stands between a byte and the machine that decides. A turn is: wait, sockets, jobs, timers,
/// what was put off, then one send for each connection that was written to.
///
/// A loop lives until `shutdown()`; its thread keeps it.
///
/// `@unchecked Sendable`, in this file only: what stands under "the loop's own" is touched by the
/// loop's thread alone, which every entry point holds as a precondition, or before it starts and
/// after it ended; all else is constant, atomic or under a lock.
package final class EventLoop: SerialExecutor, SerialDomain, @unchecked Sendable {
    /// For whoever needs no loop of its own. It is never shut down.
    package static let shared: EventLoop = {
        do {
            let loop = try EventLoop()
            try loop.start()
            return loop
        } catch {
            fatalError("the system has no thread or descriptor for the shared loop: \(error)")
        }
    }()

    /// The most bytes taken from one connection in a turn: one receive. What is left is reported
    /// again by the next wait, after the connections that became ready meanwhile.
    static let receiveBudget = 64 * 1024

    /// Buffers kept for the next turn's writing: 64 of at most 64 KiB, so 4 MiB a loop.
    private static let spareBufferLimit = 64

    private enum Job {
        case isolated(UnownedJob)
        case preferring(UnownedJob)
        case work(@Sendable () -> Void)
    }
    private struct Shared {
        enum Life { case fresh, running, stopping, stopped }
        var life = Life.fresh
        var jobs: [Job] = []
        /// The loop waits, or is about to, and nobody rang yet.
        var isWaiting = false
        var thread: SystemThread?

        /// Whether the caller has to ring; the next one has not.
        mutating func takeWaiting() -> Bool {
            defer { isWaiting = false }
            return isWaiting
        }
    }
    private struct Registration {
        var source: (any LoopSource)?
        var watched: Directions = []
        /// Tells an event of an earlier use of the same descriptor number.
        var serial: UInt32 = 0
    }

    private let shared = Mutex(Shared())
    private let threadNumber = Atomic<UInt>(0)

    private lazy var preference = Preference(self)

    // The loop's own.
    private let poller: any Poller
    private let scratch = UnsafeMutableRawBufferPointer.allocate(
        byteCount: EventLoop.receiveBudget, alignment: 16)
    private var turnStart: Milliseconds
    private var wheel: TimerWheel
    private var timers: [(() -> Void)?] = []
    private var registrations: [Registration] = []
    private var events: [PollEvent] = []
    private var later: [() -> Void] = []
    private var written: [TCPStream] = []
    private var spareBuffers: [SendBuffer] = []
    private(set) lazy var resolver = NameResolver(loop: self)
    #if os(Linux)
        private(set) lazy var curl = CurlMulti(on: self)
    #endif

    /// A loop that is not started yet; what is enqueued waits.
    package init(poller kind: PollerKind = .standard) throws(SocketError) {
        poller = try kind.make()
        turnStart = MonotonicClock.now
        wheel = TimerWheel(now: turnStart)
    }

    deinit {
        scratch.deallocate()
    }

    /// Starts the thread. Once.
    package func start() throws(SocketError) {
        shared.withLock { shared in
            precondition(shared.life == .fresh, "a loop is started once")
            shared.life = .running
        }
        let thread = try SystemThread { [self] in run() }
        shared.withLock { $0.thread = thread }
    }

    /// Ends the loop and waits for its thread: descriptors are closed and nothing is reported.
    ///
    /// Call from another thread, when the tasks that run here have ended: a job that comes later
    /// never runs. Waits for name look-ups under way. Idempotent.
    package func shutdown() {
        precondition(!isOnLoop, "a loop cannot wait for its own end")
        let (thread, mustRing) = shared.withLock { shared in
            defer { shared.thread = nil }
            if shared.life == .fresh { shared.life = .stopped }
            guard shared.life == .running else { return (nil as SystemThread?, false) }
            shared.life = .stopping
            return (shared.thread, shared.takeWaiting())
        }
        if mustRing { poller.ring() }
        thread?.join()
    }

    // MARK: Executor

    package var executor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    package func enqueue(_ job: consuming ExecutorJob) {
        append(.isolated(UnownedJob(job)))
    }

    /// For `Task(executorPreference:)`: a task runs here where no actor says otherwise.
    package var taskExecutor: any TaskExecutor { preference }

    /// An executor of its own: a job that ran as both would leave the loop's actors by a queue,
    /// not by a call, wherever a function of theirs is awaited.
    private final class Preference: TaskExecutor {
        private unowned let loop: EventLoop

        init(_ loop: EventLoop) {
            self.loop = loop
        }

        func enqueue(_ job: consuming ExecutorJob) {
            loop.append(.preferring(UnownedJob(job)))
        }
    }

    /// Runs `work` on the loop, in a later turn. Any thread may ask.
    package func submit(_ work: @escaping @Sendable () -> Void) {
        append(.work(work))
    }

    /// Runs `work` later in this turn, or in the next. Call on the loop.
    package func putOff(_ work: @escaping () -> Void) {
        preconditionOnLoop()
        later.append(work)
    }

    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    package func checkIsolated() { preconditionOnLoop() }

    /// Whether the caller runs on the loop's thread.
    package var isOnLoop: Bool { threadNumber.load(ordering: .relaxed) == SystemThread.current }

    /// Traps off the loop: what is confined to it says so at its entry points.
    package func preconditionOnLoop() {
        precondition(isOnLoop, "call on the loop")
    }

    /// Dropped when the loop has ended. No trap: an actor's `isolated deinit` is such a job too,
    /// and may come whenever its last owner goes.
    private func append(_ job: Job) {
        let mustRing = shared.withLock { shared in
            guard shared.life != .stopped else { return false }
            shared.jobs.append(job)
            return shared.takeWaiting()
        }
        if mustRing { poller.ring() }
    }

    // MARK: Time

    /// On the loop, the moment the turn came to; from elsewhere, the clock's.
    package var now: Milliseconds { isOnLoop ? turnStart : MonotonicClock.now }

    package func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any DeadlineTimer {
        LoopTimer(on: self, fire)
    }

    func addTimer(_ fire: @escaping () -> Void) -> TimerWheel.ID {
        preconditionOnLoop()
        let id = wheel.add()
        if timers.count == id.index { timers.append(nil) }
        timers[Int(id.index)] = fire
        return id
    }

    func removeTimer(_ id: TimerWheel.ID) {
        preconditionOnLoop()
        wheel.remove(id)
        forgetTimer(Int(id.index))
    }

    /// Lets go of what a timer does only at the end: it may own a timer too, and come here again.
    private func forgetTimer(_ index: Int) {
        var fire: (() -> Void)?
        swap(&fire, &timers[index])
    }

    func arm(_ id: TimerWheel.ID, at deadline: Milliseconds?) {
        preconditionOnLoop()
        wheel.arm(id, at: deadline ?? .never)
    }

    // MARK: Descriptors

    /// Keeps `source` until its descriptor is closed.
    func register(_ source: any LoopSource, _ descriptor: Int32) {
        preconditionOnLoop()
        let missing = Int(descriptor) + 1 - registrations.count
        if missing > 0 { registrations += Array(repeating: Registration(), count: missing) }
        registrations[Int(descriptor)].source = source
        registrations[Int(descriptor)].serial &+= 1
    }

    /// Gives a descriptor, as it is watched, to another source.
    func handOver(_ descriptor: Int32, to source: any LoopSource) {
        preconditionOnLoop()
        registrations[Int(descriptor)].source = source
    }

    func watch(_ descriptor: Int32, for directions: Directions) throws(SocketError) {
        preconditionOnLoop()
        let registration = registrations[Int(descriptor)]
        guard registration.watched != directions else { return }
        let token = UInt64(registration.serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
        try poller.watch(descriptor, token: token, from: registration.watched, to: directions)
        registrations[Int(descriptor)].watched = directions
    }

    /// Closes a descriptor and lets its source go.
    func close(_ descriptor: Int32) {
        preconditionOnLoop()
        // Let go of at the end: what it owns may have a descriptor too, and come here again.
        var source: (any LoopSource)?
        swap(&source, &registrations[Int(descriptor)].source)
        registrations[Int(descriptor)].watched = []
        poller.close(descriptor)
    }

    /// Open descriptors.
    package var registeredCount: Int {
        preconditionOnLoop()
        return registrations.count { $0.source != nil }
    }

    /// Sends what `stream` holds when the turn ends. Once a turn.
    func flushAtEndOfTurn(_ stream: TCPStream) {
        written.append(stream)
    }

    /// An empty buffer for what a connection writes, with room if one was given back.
    func takeBuffer() -> SendBuffer { spareBuffers.popLast() ?? SendBuffer() }

    /// Keeps a buffer that was sent: taking memory from the system and giving it back at every
    /// turn costs more than the copy that the buffer is for.
    func giveBack(_ buffer: SendBuffer) {
        guard spareBuffers.count < Self.spareBufferLimit,
            1...Self.receiveBudget ~= buffer.capacity
        else { return }
        buffer.clear()
        spareBuffers.append(buffer)
    }

    /// Receives into the buffer that all connections of the loop share.
    func withScratch<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        body(scratch)
    }

    // MARK: The thread

    private func run() {
        threadNumber.store(SystemThread.current, ordering: .relaxed)
        while let timeout = timeout() { turn(waiting: timeout) }
        tearDown()
        threadNumber.store(0, ordering: .relaxed)
    }

    /// How long the next turn may wait; `nil` when there is none. `never` is without end.
    private func timeout() -> Milliseconds? {
        let deadline = wheel.nextDeadline
        let isIdle = later.isEmpty && written.isEmpty
        return shared.withLock { shared in
            guard shared.life == .running else { return nil }
            guard isIdle && shared.jobs.isEmpty else { return 0 }
            shared.isWaiting = true
            guard let deadline else { return .never }
            return max(0, deadline - MonotonicClock.now)
        }
    }

    private func turn(waiting timeout: Milliseconds) {
        poller.wait(for: timeout == .never ? nil : timeout, into: &events)
        // From here on the loop sees by itself what is enqueued.
        shared.withLock { $0.isWaiting = false }
        turnStart = MonotonicClock.now
        serveEvents()
        runJobs()
        fireTimers()
        runPutOff()
        flushWritten()
    }

    private func serveEvents() {
        for event in events {
            let registration = registrations[Int(truncatingIfNeeded: event.token & 0xFFFF_FFFF)]
            guard registration.serial == UInt32(event.token >> 32) else { continue }
            registration.source?.ready(event.directions)
        }
    }

    private func runJobs() {
        let jobs = shared.withLock { shared in
            var jobs: [Job] = []
            swap(&jobs, &shared.jobs)
            return jobs
        }
        guard !jobs.isEmpty else { return }
        // No job sees a moment before the one at which it was enqueued.
        turnStart = MonotonicClock.now
        for job in jobs {
            switch job {
            case .isolated(let task):
                task.runSynchronously(on: asUnownedSerialExecutor())
            case .preferring(let task):
                task.runSynchronously(on: preference.asUnownedTaskExecutor())
            case .work(let work):
                work()
            }
        }
    }

    private func fireTimers() {
        wheel.advance(to: turnStart)
        while let id = wheel.takeDue() {
            let fire = timers[Int(id.index)]
            fire?()
        }
    }

    private func runPutOff() {
        // What these put off in their turn waits for the next one.
        let works = later
        later.removeAll(keepingCapacity: works.count < 64)
        for work in works { work() }
    }

    private func flushWritten() {
        guard !written.isEmpty else { return }
        let streams = written
        written.removeAll(keepingCapacity: streams.count < 4_096)
        for stream in streams { stream.flush() }
    }

    private func tearDown() {
        for descriptor in registrations.indices {
            registrations[descriptor].source?.loopStopped()
        }
        resolver.stop()
        while !stopIfIdle() { runJobs() }
        later = []
        written = []
        for index in timers.indices { forgetTimer(index) }
        registrations = []
    }

    private func stopIfIdle() -> Bool {
        shared.withLock { shared in
            guard shared.jobs.isEmpty else { return false }
            shared.life = .stopped
            return true
        }
    }
}

/// What owns a descriptor of a loop.
protocol LoopSource: AnyObject {
    /// The descriptor can be read or written. It may also prove untrue.
    func ready(_ directions: Directions)

    /// The loop ends: close, and report nothing.
    func loopStopped()
}
