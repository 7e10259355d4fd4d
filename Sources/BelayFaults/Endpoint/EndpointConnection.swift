import BelayCore
import BelayTCP
import BelayTransport

/// One accepted connection: asks its judge at each moment, says what is to be said, and records.
///
/// Thousands may be idle: what few of them have stands in `ConnectionScript`.
final class EndpointConnection {
    /// What the connection is about at present.
    enum Session {
        /// The answer is complete: what still comes is dropped.
        case none
        /// The head of the request is read.
        case request(RequestReader)
        /// A respondent answers.
        case answering(Task<Void, Never>, method: String)
        /// Events are told.
        case events(EventStreamSession)
        /// Messages go both ways.
        case webSocket(WebSocketSession)
    }
    private enum Life: UInt8 { case open, halfClosed, over }

    /// From 1, in order of accept.
    let number: Int
    let core: EndpointCore
    private let stream: TCPStream
    private let acceptedAt: Milliseconds
    /// What goes wrong here; most connections have none.
    private var script: ConnectionScript?
    private var session = Session.none
    /// Where it stands among the core's; `nil` once it is none of them.
    var place: Int32?
    private var life = Life.open

    init(number: Int, stream: TCPStream, core: EndpointCore) {
        self.number = number
        self.stream = stream
        self.core = core
        acceptedAt = core.loop.now
        if core.plan.concerns(connection: number) { script = makeScript() }
    }

    /// Begins to read, after the fault of the moment.
    func begin() {
        record(.accepted)
        session = .request(RequestReader(self))
        stream.start(self)
        strike(Moment(.accepted))
        armElapsed(after: -1)
    }

    // MARK: The plan

    /// These rules hold from now on; what has struck stays.
    func setPlan(_ plan: FaultPlan) {
        if script == nil, plan.concerns(connection: number) { script = makeScript() }
        script?.replaceRules(with: plan)
        armElapsed(after: Int(now) - 1)
    }

    /// Faults that the query asks for.
    func add(_ rules: [FaultRule]) {
        guard !rules.isEmpty else { return }
        let script = script ?? makeScript()
        self.script = script
        script.add(rules)
    }

    /// Whether bytes of this kind of moment go straight to the stream: no fault can strike.
    func isPlain(_ kind: Moment.Kind) -> Bool { isPlain(Moment.Kinds([kind])) }

    /// As `isPlain(_:)`, for all of these.
    func isPlain(_ kinds: Moment.Kinds) -> Bool {
        guard let script else { return true }
        return script.player == nil && script.judge.kinds.isDisjoint(with: kinds)
    }

    /// Whether some rule names a moment of this kind.
    func concerns(_ kind: Moment.Kind) -> Bool { script?.judge.concerns(kind) == true }

    /// Where the events begin, if a fault said so.
    var startAfter: Int? { script?.startAfter }

    /// What happens at a moment instead of saying `offer`; `nil` if nothing goes wrong.
    func verdict(at moment: Moment, offer: [UInt8] = []) -> Verdict? {
        guard let script, !isMuted || moment.kind == .elapsed else { return nil }
        let verdict = script.judge.verdict(at: moment, offer: offer, now: now)
        if verdict != nil { record(.faultStruck(moment)) }
        return verdict
    }

    /// A moment at which nothing would be said.
    func strike(_ moment: Moment) {
        guard let verdict = verdict(at: moment) else { return }
        perform(verdict.resolved(note: nil))
    }

    // MARK: Saying

    /// Whether it has ended: nothing is recorded any more.
    var isOver: Bool { life == .over }

    /// Whether nothing can be said any more.
    var isMuted: Bool { life != .open || script?.player?.isSilent == true }

    /// Whether there is room; `drained()` follows where there was none.
    var isWritable: Bool { stream.isWritable && script?.player?.isFull != true }

    /// Says `bytes` unless the judge knows better. `note` is recorded as they leave, and `end`
    /// follows them.
    func say(
        _ bytes: [UInt8], at moment: Moment, note: EndpointEntry.Event? = nil,
        then end: [Step] = []
    ) {
        guard !isMuted else { return }
        let usual = Verdict(offer: bytes, steps: [.proceed])
        perform((verdict(at: moment, offer: bytes) ?? usual).resolved(note: note, then: end))
    }

    /// Says `bytes`, which no moment names.
    func say(_ bytes: [UInt8], note: EndpointEntry.Event? = nil) {
        perform([.send(bytes, note: note)])
    }

    /// Takes steps that were resolved.
    func perform(_ steps: [Step]) {
        for step in steps {
            switch step {
            case .startAfter(let id): script?.startAfter = id
            case .send([], note: nil): continue
            case .send(let bytes, let note) where script?.player == nil:
                guard life == .open else { continue }
                stream.write(bytes)
                if let note { record(note) }
            case .finish where script?.player == nil: finish()
            default:
                guard life == .open, let script else { continue }
                let player = script.player ?? ScriptPlayer(self, stream)
                script.player = player
                player.add(step)
            }
        }
    }

    /// Lets an encoder append to what leaves at the end of the turn. For plain moments only.
    func write(encodedBy append: (inout [UInt8]) -> Void) {
        guard life == .open else { return }
        stream.write(encodedBy: append)
    }

    /// A client that does not read is not read either.
    func setReading(_ reading: Reading) {
        stream.setReading(reading)
    }

    /// The request was read: `session` goes on with what follows it.
    func continues(with session: Session) {
        guard life != .over else { return }
        self.session = session
    }

    /// The answer is complete but for its end: what still comes is dropped.
    func dropsInput() {
        session = .none
    }

    // MARK: A respondent

    /// The request is read: its answer comes by `answered`.
    func asks(_ request: PlainRequest) {
        guard let ask = core.ask, life != .over else { return }
        session = .answering(ask(request, number), method: request.method)
    }

    /// A respondent's answer came.
    func answered(_ answer: PlainAnswer) {
        guard case .answering(_, let method) = session else { return }
        dropsInput()
        say(
            PlainResponse.answer(answer, method: method), at: Moment(.response),
            note: .response(status: answer.status), then: [.finish])
        answer.afterwards?()
    }

    // MARK: Ending

    /// FIN after what was said, and the connection is over.
    func finish() {
        guard life != .over else { return }
        if life == .open { record(.finSent) }
        end()
        stream.close()
    }

    /// FIN; reading goes on.
    func halfClose() {
        guard life == .open else { return }
        life = .halfClosed
        record(.finSent)
        script?.player?.end()
        stream.shutdownWriting()
    }

    /// RST.
    func resetNow() {
        guard life != .over else { return }
        record(.resetSent)
        end()
        stream.reset()
        core.ended(self)
    }

    private func end() {
        life = .over
        if case .answering(let task, _) = session { task.cancel() }
        session = .none
        script?.elapsedTimer = nil
        script?.player?.end()
    }

    // MARK: Time and record

    /// Milliseconds since the connection was accepted.
    var now: Milliseconds { core.loop.now - acceptedAt }

    func record(_ event: EndpointEntry.Event) {
        core.record(event, of: number)
        if case .closeSent = event, case .webSocket(let session) = session {
            session.closeSent(on: self)
        }
    }

    /// There is room again for what the session has to say.
    func drained() {
        guard isWritable else { return }
        switch session {
        case .none, .request, .answering: return
        case .events(let session): session.drained()
        case .webSocket(let session): session.drained(on: self)
        }
    }

    private func makeScript() -> ConnectionScript {
        ConnectionScript(FaultJudge(plan: core.plan, connection: number))
    }

    private func armElapsed(after milliseconds: Int) {
        guard let script else { return }
        guard life != .over, let next = script.judge.elapsed(after: milliseconds) else {
            script.elapsedTimer = nil
            return
        }
        let timer = LoopTimer(on: core.loop) { [unowned self] in
            strike(Moment(.elapsed, next))
            armElapsed(after: next)
        }
        timer.arm(at: acceptedAt.moved(by: Int64(next)))
        script.elapsedTimer = timer
    }
}

extension EndpointConnection: TCPStreamDelegate {
    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        switch session {
        case .none: return
        case .request(let session): session.received(bytes)
        case .events, .answering: return  // A body of the request, or noise.
        case .webSocket(let session): session.received(bytes, on: self)
        }
    }

    func stream(_ stream: TCPStream, gave count: UInt64) {
        script?.player?.gave(count)
    }

    func streamDrained(_ stream: TCPStream) {
        drained()
    }

    func streamEnded(_ stream: TCPStream) {
        record(.finReceived)
        guard !isMuted else { return finish() }
        switch session {
        case .none: return
        // With or without a Close: nobody is there to talk to.
        case .request, .webSocket: finish()
        // A client may say no more and still read; one that has gone answers with RST.
        case .events, .answering: return
        }
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        end()
        core.ended(self, by: error)
    }
}
