import BelayCore
import BelayTransport

/// The one door of one connection: input, transition, perform, re-arm, in one synchronous stretch.
///
/// It runs on its transport's domain, so what the transport reports enters without a hop. It
/// checks no generation itself before the machine has: there is one place to get it right.
actor ConnectionDriver<Role: ConnectionRole> {
    nonisolated let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    /// The newest status, for any number of observers.
    nonisolated let statuses = Latest(ConnectionStatus.idle)
    /// How the newest attempt or connection went; the path never writes it.
    nonisolated let outcomes = Latest(RequestOutcome.none)

    /// How long the newest answered ping was on its way.
    nonisolated let roundTrips = Latest<RoundTrip?>(nil)

    /// Where the app reads what happens.
    nonisolated let queue: DeliveryQueue<Role.Element>

    /// How often the program closed it.
    nonisolated let closes = CloseCount()

    /// What its kind of connection does.
    var role: Role
    private var machine: ConnectionMachine
    private var generator: any RandomNumberGenerator & Sendable
    private let evidence: (@Sendable (EvidenceRecord) -> Void)?

    /// The newest generation that has not ended, with its transport.
    private var live: Live?
    private var timer: ArmedTimer?
    /// Told when a timer fired so late that this program must have been stopped.
    private var oversleepNotice: (@Sendable () -> Void)?
    /// Why the newest ended generation did, for the next one's hook.
    private var lastCause: CloseCause?
    /// Whether a reader is in its scope: nothing connects outside of one.
    private var isRead = false
    /// Whether any reader came so far, also one that did not begin.
    var wasRead = false
    /// Whether an order is being carried out: what a channel reports meanwhile comes after it.
    private var isPerforming = false
    /// Itself, as long as a closing handshake outlives the last owner; its deadline bounds it.
    private var lingering: ConnectionDriver?

    /// One timer for each generation, with the moment it is armed for.
    private struct ArmedTimer {
        let generation: Generation
        let timer: any DeadlineTimer
        var deadline: Milliseconds?
        /// When it is to fire: its deadline, or the moment of arming where that had passed.
        var due: Milliseconds = 0
    }

    init(
        role: Role,
        machine: ConnectionMachine,
        generator: any RandomNumberGenerator & Sendable,
        evidence: (@Sendable (EvidenceRecord) -> Void)?
    ) {
        self.role = role
        queue = role.queue
        self.machine = machine
        self.generator = generator
        self.evidence = evidence
        domain = role.domain
    }

    deinit {
        // No channel and no timer is left to release in the domain: whoever reads keeps the
        // driver, leaving stops it first, and a closing handshake keeps it to its end.
        statuses.finish()
        outcomes.finish()
        roundTrips.finish()
    }

    /// The newest generation.
    var generation: Generation { machine.generation }

    /// The channel of the open generation.
    var openChannel: (generation: Generation, channel: Role.Channel)? {
        guard case .open(let id) = machine.status, let live, live.generation == id,
            let channel = live.channel
        else { return nil }
        return (id, channel)
    }

    // MARK: The door

    /// What happened enters here: from the app, the transport, the timer and the path.
    @discardableResult
    func handle(_ input: ConnectionInput, byteCount: Int? = nil) -> InputVerdict {
        let now = domain.now
        let (generation, before) = (machine.generation, machine.status)
        var reaction = machine.handle(input, now: now, using: &generator)
        if let end = reaction.ended, let live, live.generation == end.generation,
            let channel = live.channel
        {
            reaction.ended?.frames = role.frames(of: channel)
        }
        let after = machine.status
        evidence?(
            .connection(
                ConnectionRecord(
                    at: now, input: input, verdict: reaction.verdict, generation: generation,
                    before: before, after: after, end: reaction.ended,
                    roundTrip: reaction.roundTrip, byteCount: byteCount)))
        // Before the events of the same step: who reads one finds a status at least as new.
        if after != before { publish(after) }
        if let sample = reaction.roundTrip { publish(sample, of: generation) }
        perform(reaction)
        if case .stopped = after { queue.finish() }
        rearm()
        return reaction.verdict
    }

    /// What the app or the path says, from any thread, in the domain's next turn.
    nonisolated func submit(_ input: ConnectionInput) {
        domain.submit { [weak self] in
            self?.assumeIsolated { driver in
                guard driver.mayEnter(input) else { return }
                driver.handle(input)
            }
        }
    }

    /// A wish to connect needs a reader, and one whose events have not ended: nobody else would
    /// take what comes, nor close it.
    private func mayEnter(_ input: ConnectionInput) -> Bool {
        switch (input, machine.status) {
        case (.connect, .stopped), (.replace, .stopped): false
        case (.connect, .closing), (.replace, .closing): isRead && Role.hasClosingHandshake
        case (.connect, _), (.replace, _): isRead
        default: true
        }
    }

    // MARK: The reader

    /// A reader, called after so many closes, begins its scope: connects. Or answers why not.
    nonisolated func begin(after closes: Int) async -> ReadingEnd? {
        await domain.call { [self] in
            assumeIsolated { $0.beginReading(after: closes) }
        }
    }

    private func beginReading(after closes: Int) -> ReadingEnd? {
        guard !isRead else { return .refused }
        defer { wasRead = true }
        // Nobody heard what was closed before the first reader: it does.
        guard self.closes.value == (wasRead ? closes : 0) else { return .stopped(.closedLocally) }
        isRead = true
        // A closing handshake of the reader before ends with this, and is none of this one's news.
        handle(.connect)
        queue.begin()
        return nil
    }

    /// The reader left its scope: stops, after whatever was asked before.
    nonisolated func leave() {
        domain.submit { [self] in
            assumeIsolated { driver in
                driver.handle(.stop)
                driver.queue.end()
                driver.isRead = false
            }
        }
    }

    /// The reader caught up: the connection may be read again.
    nonisolated func drained() {
        domain.submit { [weak self] in
            self?.assumeIsolated { $0.resumeReading() }
        }
    }

    // MARK: The transport

    /// What the transport of `id` reports.
    private func receive(_ event: TransportEvent<Role.Payload>, of id: Generation) {
        guard !isPerforming else { return postpone(event, of: id) }
        switch event {
        case .opened(let subprotocol):
            guard handle(.opened(id)) == .accepted else { return }
            outcomes.publish(.succeeded)
            role.opened(id, subprotocol: subprotocol)
            // An app that still lags behind the last generation does not keep up with this one.
            if queue.isFull { pauseReading() }
        case .received(let payload):
            let size = role.byteCount(of: payload)
            guard handle(.received(id), byteCount: size) == .accepted else { return }
            deliver(payload, of: id)
        case .partlyReceived:
            handle(.partlyReceived(id))
        case .pingHandedOver(let number):
            handle(.pingHandedOver(id, ping: number))
        case .pong(let number):
            handle(.pong(id, ping: number))
        case .unsolicitedPong:
            handle(.unsolicitedPong(id))
        case .sent(let number):
            let size = role.byteCount(ofSent: number)
            guard handle(.sent(id), byteCount: size) == .accepted else { return }
            role.sent(number)
            sendWaiting()
        case .ended(let cause, let retryAfter):
            handle(.ended(id, cause, retryAfter: retryAfter))
        }
    }

    /// A report from within a call of ours, in a turn of its own: it must not tear the stretch.
    private func postpone(_ event: TransportEvent<Role.Payload>, of id: Generation) {
        domain.submit { [weak self] in
            self?.assumeIsolated { $0.receive(event, of: id) }
        }
    }

    private func deliver(_ payload: Role.Payload, of id: Generation) {
        let reception = role.received(payload, of: id)
        if let time = reception.reconnectionTime { handle(.reconnectionTime(id, time)) }
        if let cause = reception.failure {
            handle(.ended(id, cause))
        } else if reception.isFull {
            pauseReading()
        }
    }

    /// The app lags: its pace reaches the peer. Ends by `drained`, or with the generation.
    private func pauseReading() {
        guard let live, live.reading == .flowing,
            handle(.readingPaused(live.generation)) == .accepted
        else { return }
        setReading(.paused)
    }

    /// Not where the queue is full again by now: then another `drained` follows.
    private func resumeReading() {
        guard let live, live.reading == .paused, !queue.isFull,
            handle(.readingResumed(live.generation)) == .accepted
        else { return }
        setReading(.flowing)
    }

    private func setReading(_ reading: Reading) {
        guard let live, live.reading != reading, let channel = live.channel else { return }
        self.live?.reading = reading
        role.base(channel).setReading(reading)
    }

    /// Sends what there is room for, in the order of the calls. What waits while the connection
    /// closes is never sent: nothing may follow a Close frame (RFC 6455 §5.5.1).
    func sendWaiting() {
        while let (_, channel) = openChannel, let (payload, number) = role.nextToSend() {
            role.send(payload, number: number, on: channel)
        }
    }

    // MARK: Effects

    /// Does what the machine ordered. Each order's generation is checked again before its effect.
    private func perform(_ reaction: ConnectionReaction) {
        isPerforming = true
        defer { isPerforming = false }
        if let id = reaction.close, let live, live.generation == id {
            beginClosing(live)
        }
        if let end = reaction.ended, let live, live.generation == end.generation {
            self.live = nil
            release(live.stage)
            finish(end)
        }
        if let id = reaction.open {
            precondition(live == nil, "open \(id) beside a live transport")
            live = Live(generation: id, stage: begin(id))
        }
        if let ping = reaction.ping, let live, live.generation == ping.generation,
            let channel = live.channel
        {
            role.ping(ping.number, on: channel)
        }
    }

    /// Creates the transport of `id`, or first asks the app to complete its request.
    private func begin(_ id: Generation) -> Stage {
        guard let hook = role.hook else { return open(role.request, of: id) }
        let attempt = RequestAttempt(generation: id, previous: lastCause)
        let domain = domain
        return .preparing(
            hook.ask(role.request, attempt) { [weak self] request in
                domain.submit { [weak self] in
                    self?.assumeIsolated { $0.prepared(request, of: id) }
                }
            })
    }

    private func prepared(_ request: Role.Request?, of id: Generation) {
        guard let request else {
            handle(.ended(id, .requestFailed))
            return
        }
        guard handle(.prepared(id)) == .accepted, case .preparing = live?.stage else { return }
        isPerforming = true
        defer { isPerforming = false }
        live?.stage = open(request, of: id)
    }

    private func open(_ request: Role.Request, of id: Generation) -> Stage {
        let sink = TransportSink<Role.Payload>(generation: id) { [weak self] id, event in
            self?.assumeIsolated { $0.receive(event, of: id) }
        }
        do throws(UnsendableRequest) {
            return .running(try role.open(request, sink))
        } catch {
            postpone(.ended(.requestInvalid(error.part)), of: id)
            return .refused
        }
    }

    private func release(_ stage: Stage) {
        switch stage {
        case .preparing(let task): task.cancel()
        case .refused: break
        case .running(let channel): role.base(channel).abort()
        }
    }

    private func beginClosing(_ live: Live) {
        guard Role.hasClosingHandshake, let channel = live.channel else {
            return postpone(.ended(.closedLocally), of: live.generation)
        }
        role.close(channel)
        // The peer's answer stands behind what the app did not read; nobody waits for that now.
        setReading(.flowing)
    }

    /// Tells everyone who waits on the ended generation.
    private func finish(_ end: CloseFacts) {
        lastCause = end.cause
        switch end.cause {
        case .closedLocally, .replaced:
            break  // We did it: nothing was learnt of the server.
        default:
            outcomes.publish(RequestOutcome(end.cause))
        }
        role.ended(end)
    }

    private func publish(_ sample: Milliseconds, of id: Generation) {
        guard var roundTrip = roundTrips.value, roundTrip.generation == id else {
            return roundTrips.publish(RoundTrip(generation: id, first: sample))
        }
        roundTrip.add(sample)
        roundTrips.publish(roundTrip)
    }

    private func publish(_ status: ConnectionStatus) {
        statuses.publish(status)
        if case .closing = status { lingering = self } else { lingering = nil }
    }

    /// One timer for the machine's one deadline, armed again only when something changed.
    private func rearm() {
        guard let deadline = machine.nextDeadline else {
            timer = nil
            return
        }
        let id = machine.generation
        if timer?.generation != id {
            let fresh = domain.makeTimer { [weak self] in
                self?.assumeIsolated { $0.fired(under: id) }
            }
            timer = ArmedTimer(generation: id, timer: fresh)
        }
        guard let timer, timer.deadline != deadline else { return }
        self.timer?.deadline = deadline
        self.timer?.due = max(deadline, domain.now)
        timer.timer.arm(at: deadline)
    }

    /// From now on `notice` is called, in the domain, when this program slept past a deadline.
    nonisolated func whenOverslept(_ notice: @escaping @Sendable () -> Void) {
        domain.submit { [weak self] in
            self?.assumeIsolated { $0.oversleepNotice = notice }
        }
    }

    private func fired(under id: Generation) {
        // As late as makes a heartbeat doubt its own deadline (`HeartbeatPolicy.overdueAfter`).
        if let timer, timer.deadline != nil, domain.now.elapsed(since: timer.due) > 1_000 {
            oversleepNotice?()
        }
        // It has fired: forget it, or rearm() would take it for armed where it came too early.
        if timer?.generation == id { timer?.deadline = nil }
        handle(.deadlineReached(id))
    }
}
