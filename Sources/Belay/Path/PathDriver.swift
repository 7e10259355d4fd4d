import BelayCore
import BelayTransport

/// The one door of the hint: observations, updates and publication in one serial domain (P8).
actor PathDriver {
    private let observer: any PathObserver
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    /// The newest hint, for any number of readers.
    nonisolated let hints = Latest(NetworkHint())

    private var hint = NetworkHint()
    private var observation: (any PathObservation)?
    private var receivers: [Receiver] = []
    private let evidence: (@Sendable (EvidenceRecord) -> Void)?

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

    /// Raise the number, cancel the old observation, begin the new one: in this order (P7), so
    /// that whatever the old one still says is stale.
    func restart() {
        let generation = hint.restart()
        observation?.cancel()
        hints.publish(hint)
        let sink = PathSink(generation: generation) { [weak self] id, update in
            self?.assumeIsolated { $0.receive(update, of: id) }
        }
        observation = observer.observe(sink)
    }

    func stop() {
        _ = hint.restart()
        observation?.cancel()
        observation = nil
        hints.publish(hint)
    }

    /// Its owner is gone: nothing is observed, and readers of the hints end.
    func finish() {
        stop()
        hints.finish()
    }

    func inform(_ receiver: any PathHintReceiver) {
        receivers.removeAll { $0.object == nil || $0.object === receiver }
        receivers.append(Receiver(object: receiver))
    }

    private func receive(_ update: PathUpdate, of id: Generation) {
        let before = hint.newest
        let verdict = hint.accept(generation: id, update)
        evidence?(
            .path(
                PathRecord(
                    at: domain.now, generation: id, update: update, verdict: verdict,
                    after: hint.state)))
        // A repeated report is no change: nothing may pile up from it (P10).
        guard verdict == .accepted else { return }
        hints.publish(hint)
        guard isAnotherPath(update, than: before) else { return }
        for receiver in receivers { receiver.object?.pathChanged(update.state) }
    }

    /// Cost is no reason to doubt a connection or to come back sooner (P10, P11). A change that
    /// shows in nothing is: two networks may look the same.
    private func isAnotherPath(_ update: PathUpdate, than before: PathUpdate) -> Bool {
        update.state != before.state
            || (update.expensive, update.constrained) == (before.expensive, before.constrained)
    }
}
