import BelayCore
import BelayTCP
import BelayTransport

/// What a connection is about at present: the head of the request, events, or a WebSocket.
protocol EndpointSession: AnyObject {
    /// The next bytes, valid during the call.
    func received(_ bytes: UnsafeRawBufferPointer)
    /// There is room again for what the session has to say.
    func drained()
    /// FIN came. The session says whether there is still something to tell.
    func peerEnded()
    /// A Close frame has left.
    func closeSent()
}

/// One accepted connection: asks its judge at each moment, says what is to be said, and records.
final class EndpointConnection {
    private enum Life { case open, halfClosed, over }

    /// From 1, in order of accept.
    let number: Int
    let core: EndpointCore
    private let stream: TCPStream
    private let acceptedAt: Milliseconds
    private var judge: FaultJudge
    /// What the query asked for; a new plan leaves it.
    private var ownRules: [FaultRule] = []
    /// `nil` when the answer is complete: what still comes is dropped.
    private var session: (any EndpointSession)?
    private var player: ScriptPlayer?
    private var elapsedTimer: LoopTimer?
    /// Where the events begin, if a fault said so.
    private(set) var startAfter: Int?
    private var life = Life.open

    init(number: Int, stream: TCPStream, core: EndpointCore) {
        self.number = number
        self.stream = stream
        self.core = core
        acceptedAt = core.loop.now
        judge = FaultJudge(plan: core.plan, connection: number)
    }

    /// Begins to read, after the fault of the moment.
    func begin() {
        record(.accepted)
        session = RequestReader(self)
        stream.start(self)
        strike(Moment(.accepted))
        armElapsed(after: -1)
    }

    // MARK: The plan

    /// These rules hold from now on; what has struck stays.
    func setPlan(_ plan: FaultPlan) {
        judge.replaceRules(with: plan)
        judge.add(ownRules)
        armElapsed(after: Int(now) - 1)
    }

    /// Faults that the query asks for.
    func add(_ rules: [FaultRule]) {
        guard !rules.isEmpty else { return }
        ownRules += rules
        judge.add(rules)
    }

    /// Whether bytes of this kind of moment go straight to the stream: no fault can strike.
    func isPlain(_ kind: Moment.Kind) -> Bool { player == nil && !judge.concerns(kind) }

    /// As `isPlain(_:)`, for all of these.
    func isPlain(_ kinds: Moment.Kinds) -> Bool {
        player == nil && judge.kinds.isDisjoint(with: kinds)
    }

    /// Whether some rule names a moment of this kind.
    func concerns(_ kind: Moment.Kind) -> Bool { judge.concerns(kind) }

    /// What happens at a moment instead of saying `offer`; `nil` if nothing goes wrong.
    func verdict(at moment: Moment, offer: [UInt8] = []) -> Verdict? {
        guard !isMuted || moment.kind == .elapsed else { return nil }
        let verdict = judge.verdict(at: moment, offer: offer, now: now)
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
    var isMuted: Bool { life != .open || player?.isSilent == true }

    /// Whether there is room; `drained()` follows where there was none.
    var isWritable: Bool { stream.isWritable && player?.isFull != true }

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
            case .startAfter(let id): startAfter = id
            case .send([], note: nil): continue
            case .send(let bytes, let note) where player == nil:
                guard life == .open else { continue }
                stream.write(bytes)
                if let note { record(note) }
            case .finish where player == nil: finish()
            default:
                guard life == .open else { continue }
                let player = player ?? ScriptPlayer(self, stream)
                self.player = player
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
    func continues(with session: some EndpointSession) {
        guard life != .over else { return }
        self.session = session
    }

    /// The answer is complete but for its end: what still comes is dropped.
    func dropsInput() {
        session = nil
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
        player?.end()
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
        session = nil
        elapsedTimer = nil
        player?.end()
    }

    // MARK: Time and record

    /// Milliseconds since the connection was accepted.
    var now: Milliseconds { core.loop.now - acceptedAt }

    func record(_ event: EndpointEntry.Event) {
        core.record(event, of: number)
        if case .closeSent = event { session?.closeSent() }
    }

    /// There is room again for what the session has to say.
    func drained() {
        guard isWritable else { return }
        session?.drained()
    }

    private func armElapsed(after milliseconds: Int) {
        guard life != .over, let next = judge.elapsed(after: milliseconds) else {
            elapsedTimer = nil
            return
        }
        let timer = LoopTimer(on: core.loop) { [unowned self] in
            strike(Moment(.elapsed, next))
            armElapsed(after: next)
        }
        timer.arm(at: acceptedAt.moved(by: Int64(next)))
        elapsedTimer = timer
    }
}

extension EndpointConnection: TCPStreamDelegate {
    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        session?.received(bytes)
    }

    func stream(_ stream: TCPStream, gave count: UInt64) {
        player?.gave(count)
    }

    func streamDrained(_ stream: TCPStream) {
        drained()
    }

    func streamEnded(_ stream: TCPStream) {
        record(.finReceived)
        if isMuted { finish() } else { session?.peerEnded() }
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        end()
        core.ended(self, by: error)
    }
}
