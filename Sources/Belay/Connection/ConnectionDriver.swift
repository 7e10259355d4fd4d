import BelayCore
import BelayTransport

/// The one door of one connection: input, transition, perform, re-arm, in one synchronous stretch.
///
/// It runs on its transport's domain, so what the transport reports enters without a hop. It
/// checks no generation itself before the machine has: there is one place to get it right.
actor ConnectionDriver<Role: ConnectionRole> {
    nonisolated let transport: Role.Port
    nonisolated let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    /// The newest status, for any number of observers.
    nonisolated let statuses = Latest(ConnectionStatus.idle)
    /// How the newest attempt or connection went; the path never writes it.
    nonisolated let outcomes = Latest(RequestOutcome.none)

    /// Where the app reads what happens.
    nonisolated let queue: DeliveryQueue<Role.Element>

    private var role: Role
    private var machine: ConnectionMachine
    private var generator: any RandomNumberGenerator & Sendable
    private let evidence: (@Sendable (EvidenceRecord) -> Void)?

    /// The transport of the newest generation that has not ended.
    private var live: (generation: Generation, channel: Role.Port.Channel)?
    private var timer: (any DeadlineTimer)?
    /// What the timer is armed for, and under which generation.
    private var armed: (deadline: Milliseconds, generation: Generation)?

    /// Sends whose bytes have not left yet.
    var sends = PendingSends()

    init(
        transport: Role.Port,
        role: Role,
        machine: ConnectionMachine,
        generator: any RandomNumberGenerator & Sendable,
        evidence: (@Sendable (EvidenceRecord) -> Void)?
    ) {
        self.transport = transport
        self.role = role
        queue = role.queue
        self.machine = machine
        self.generator = generator
        self.evidence = evidence
        domain = transport.domain
    }

    isolated deinit {
        // Nobody can reach the connection any more.
        if let live { role.base(live.channel).abort() }
    }

    /// The newest generation.
    var generation: Generation { machine.generation }

    /// The channel of the open generation.
    var openChannel: (generation: Generation, channel: Role.Port.Channel)? {
        guard case .open(let id) = machine.status, let live, live.generation == id else {
            return nil
        }
        return live
    }

    // MARK: The door

    /// What happened enters here: from the app, the transport, the timer and the path.
    @discardableResult
    func handle(_ input: ConnectionInput, byteCount: Int? = nil) -> InputVerdict {
        let now = domain.now
        let (generation, before) = (machine.generation, machine.status)
        let reaction = machine.handle(input, now: now, using: &generator)
        let after = machine.status
        evidence?(
            .connection(
                ConnectionRecord(
                    at: now, input: input, verdict: reaction.verdict, generation: generation,
                    before: before, after: after, byteCount: byteCount)))
        perform(reaction)
        if after != before { published(after) }
        rearm()
        return reaction.verdict
    }

    /// `handle` from any thread, in the domain's next turn.
    nonisolated func submit(_ input: ConnectionInput) {
        domain.submit { [weak self] in
            self?.assumeIsolated { _ = $0.handle(input) }
        }
    }

    /// A reader begins its scope: connects. `false` where another one reads.
    func begin() -> Bool {
        guard queue.begin() else { return false }
        handle(.connect)
        return true
    }

    /// The reader left its scope: stops, after whatever was asked before.
    nonisolated func leave() {
        domain.submit { [self] in
            assumeIsolated { driver in
                driver.handle(.stop)
                driver.queue.end()
            }
        }
    }

    /// What the transport of `id` reports.
    private func receive(_ event: TransportEvent<Role.Port.Payload>, of id: Generation) {
        switch event {
        case .opened(let subprotocol):
            guard handle(.opened(id)) == .accepted else { return }
            outcomes.publish(.succeeded)
            role.opened(id, subprotocol: subprotocol)
        case .received(let payload):
            let size = role.byteCount(of: payload)
            guard handle(.received(id), byteCount: size) == .accepted else { return }
            deliver(payload, of: id)
        case .pingHandedOver(let number):
            handle(.pingHandedOver(id, ping: number))
        case .pong(let number):
            handle(.pong(id, ping: number))
        case .unsolicitedPong:
            handle(.unsolicitedPong(id))
        case .sent(let number):
            guard handle(.sent(id)) == .accepted else { return }
            sends.complete(number)
        case .ended(let cause):
            handle(.ended(id, cause))
        }
    }

    private func deliver(_ payload: Role.Port.Payload, of id: Generation) {
        let reception = role.received(payload, of: id)
        if let time = reception.reconnectionTime { handle(.reconnectionTime(id, time)) }
        if let cause = reception.failure {
            handle(.ended(id, cause))
        } else if reception.isFull, handle(.readingPaused(id)) == .accepted, let live {
            role.base(live.channel).setReading(.paused)
        }
    }

    /// The reader caught up: the connection may be read again.
    nonisolated func drained() {
        domain.submit { [weak self] in
            self?.assumeIsolated { driver in
                guard let live = driver.live,
                    driver.handle(.readingResumed(live.generation)) == .accepted
                else { return }
                driver.role.base(live.channel).setReading(.flowing)
            }
        }
    }

    // MARK: Effects

    /// Does what the machine ordered. Each order's generation is checked again before its effect.
    private func perform(_ reaction: ConnectionReaction) {
        if let id = reaction.close, let live, live.generation == id, !role.close(live.channel) {
            handle(.ended(id, .closedLocally))  // There is no handshake to wait for.
        }
        if let end = reaction.ended, let live, live.generation == end.generation {
            role.base(live.channel).abort()
            self.live = nil
            finish(end)
        }
        if let id = reaction.open {
            precondition(live == nil, "open \(id) beside a live transport")
            let sink = TransportSink<Role.Port.Payload>(generation: id) { [weak self] id, event in
                self?.assumeIsolated { $0.receive(event, of: id) }
            }
            live = (id, transport.open(role.request(for: id), sink: sink))
        }
        if let ping = reaction.ping, let live, live.generation == ping.generation {
            role.ping(ping.number, on: live.channel)
        }
    }

    /// Tells everyone who waits on the ended generation.
    private func finish(_ end: ConnectionEnd) {
        outcomes.publish(RequestOutcome(end.cause))
        role.ended(end)
        sends.failAll(with: BelayError(.closed(end.cause), generation: end.generation))
    }

    private func published(_ status: ConnectionStatus) {
        statuses.publish(status)
        if case .stopped = status { queue.finish() }
    }

    /// One timer for the machine's one deadline, armed again only when something changed.
    private func rearm() {
        let next = machine.nextDeadline.map { (deadline: $0, generation: machine.generation) }
        guard next?.deadline != armed?.deadline || next?.generation != armed?.generation else {
            return
        }
        armed = next
        guard let next else {
            timer = nil
            return
        }
        let id = next.generation
        timer = domain.makeTimer { [weak self] in
            self?.assumeIsolated { $0.fired(under: id) }
        }
        timer?.arm(at: next.deadline)
    }

    private func fired(under id: Generation) {
        // It has fired: forget it, or rearm() would take it for armed where it came too early.
        if armed?.generation == id { armed = nil }
        handle(.deadlineReached(id))
    }
}
