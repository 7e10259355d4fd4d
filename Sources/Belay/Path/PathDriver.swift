import BelayCore
import BelayTransport

/// The one door of the hint: observations, updates and publication in one serial domain (P8).
actor PathDriver {
    private let observer: any PathObserver
    nonisolated let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    /// The newest hint, for any number of readers.
    nonisolated let hints = Latest(NetworkHint())

    private var hint = NetworkHint()
    private var observation: Observation?
    /// Whether the app wants to see the path, wherever it is now.
    private var isWanted = false
    private var isInBackground = false
    private var receivers: [Receiver] = []
    private let evidence: (@Sendable (EvidenceRecord) -> Void)?

    /// Told of every hint, in the same turn.
    private var followers: [Follower] = []

    private struct Follower {
        weak var object: (any PathFollower)?
    }

    private struct Observation {
        let running: any PathObservation
        let begunAt: Milliseconds
    }

    private struct Receiver {
        weak var object: (any PathHintReceiver)?
    }

    init(observer: some PathObserver, evidence: (@Sendable (EvidenceRecord) -> Void)?) {
        self.observer = observer
        self.evidence = evidence
        domain = observer.domain
    }

    /// Does `work` in the domain's next turn, in the order of the calls.
    nonisolated func submit(_ work: @escaping @Sendable (isolated PathDriver) -> Void) {
        domain.submit { [self] in
            assumeIsolated { work($0) }
        }
    }

    func restart() {
        isWanted = true
        if !isInBackground { observe() }
    }

    func stop() {
        isWanted = false
        forget()
    }

    func enterBackground() {
        guard !isInBackground else { return }
        isInBackground = true
        if isWanted { forget() }
        for receiver in receivers { receiver.object?.enterBackground() }
    }

    /// Unknown first: whoever is told that the app is back finds nothing that was true before.
    func enterForeground() {
        isInBackground = false
        if isWanted { observe() }
        for receiver in receivers { receiver.object?.enterForeground() }
    }

    /// The program was stopped for a while, and nobody said so: what is known is old, as after the
    /// background. Every connection sees it; one new observation is enough for all.
    func overslept() {
        guard let observation,
            domain.now.elapsed(since: observation.begunAt) > Self.oversleepSpacing
        else { return }
        observe()
    }

    /// In milliseconds; connections on one domain see the same stop within a few.
    private static let oversleepSpacing: Milliseconds = 1_000

    private func observe() {
        let sink = PathSink(generation: forget()) { [weak self] id, update in
            self?.assumeIsolated { $0.receive(update, of: id) }
        }
        observation = Observation(running: observer.observe(sink), begunAt: domain.now)
    }

    /// Raises the number, then cancels the old observation, then a new one may begin: in this order
    /// (P7), so that whatever the old one still says is stale. Connections forget it, too.
    @discardableResult
    private func forget() -> Generation {
        let isNews = hint.state != .unknown
        let generation = hint.restart()
        observation?.running.cancel()
        observation = nil
        publish()
        if isNews { tellReceivers(.unknown) }
        return generation
    }

    private func tellReceivers(_ state: PathState) {
        for receiver in receivers { receiver.object?.pathChanged(state) }
    }

    /// Its owner is gone: nothing is observed, and readers of the hints end.
    func finish() {
        stop()
        hints.finish()
    }

    func inform(_ receiver: any PathHintReceiver) {
        receivers.removeAll { $0.object == nil }
        // Told again it would take what it knows for a change.
        guard !receivers.contains(where: { $0.object === receiver }) else { return }
        receivers.append(Receiver(object: receiver))
        if hint.state != .unknown { receiver.pathChanged(hint.state) }
        if isInBackground { receiver.enterBackground() }
    }

    /// From now on `follower`, whose domain this is, is told of the present hint and each newer.
    func follow(_ follower: any PathFollower) {
        followers.removeAll { $0.object == nil }
        followers.append(Follower(object: follower))
        follower.hintChanged(hint)
    }

    private func publish() {
        hints.publish(hint)
        for follower in followers { follower.object?.hintChanged(hint) }
    }

    private func receive(_ update: PathUpdate, of id: Generation) {
        let before = hint.newest
        let verdict = hint.accept(generation: id, update)
        evidence?(
            .path(
                PathRecord(
                    at: domain.now, generation: id, update: update, verdict: verdict,
                    after: hint.state, dropped: hint.dropped)))
        if verdict == .stale { hints.amend(hint) }
        // A repeated report is no change: nothing may pile up from it (P10).
        guard verdict == .accepted else { return }
        publish()
        guard isAnotherPath(update, than: before) else { return }
        tellReceivers(update.state)
    }

    /// Cost is no reason to doubt a connection or to come back sooner (P10, P11), nor is why there
    /// is no path. What its observation counts as a change is, even where nothing shows: two
    /// networks may look the same.
    private func isAnotherPath(_ update: PathUpdate, than before: PathUpdate) -> Bool {
        (update.state, update.change) != (before.state, before.change)
    }
}

/// What lives in the path's domain and goes by its hints.
protocol PathFollower: AnyObject, Sendable {
    /// The hint is this one now. Called in the domain.
    func hintChanged(_ hint: NetworkHint)
}
