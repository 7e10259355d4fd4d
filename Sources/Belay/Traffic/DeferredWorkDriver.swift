import BelayCore
import BelayTransport

/// The one door of deferred work: wishes, hints and time in the path's own domain.
actor DeferredWorkDriver<Operation: Hashable & Sendable>: PathFollower {
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    /// What waits, for any number of readers.
    nonisolated let waiting = Latest<[DeferredWork<Operation>.Waiting]>([])

    private var work: DeferredWork<Operation>
    private let begin: @Sendable (Operation) -> Void
    private var timer: (any DeadlineTimer)?
    private var armed: Milliseconds?

    init(
        _ work: DeferredWork<Operation>, on domain: any SerialDomain,
        begin: @escaping @Sendable (Operation) -> Void
    ) {
        self.work = work
        self.domain = domain
        self.begin = begin
    }

    deinit {
        waiting.finish()
    }

    /// Does `body` in the domain's next turn, in the order of the calls.
    nonisolated func submit(_ body: @escaping @Sendable (isolated DeferredWorkDriver) -> Void) {
        domain.submit { [self] in
            assumeIsolated { body($0) }
        }
    }

    func take(_ operation: Operation, as kind: WorkKind) {
        switch work.submit(operation, as: kind, now: domain.now) {
        case .begin: settle([operation])
        case .deferred: settle([])
        }
    }

    func withdraw(_ operation: Operation) {
        work.withdraw(operation)
        settle([])
    }

    nonisolated func hintChanged(_ hint: NetworkHint) {
        assumeIsolated { $0.settle($0.work.hintChanged(hint)) }
    }

    private func fired() {
        armed = nil
        settle(work.deadlineReached(now: domain.now))
    }

    /// Shows what waits before it begins what does not: whoever is begun finds itself gone.
    private func settle(_ due: [Operation]) {
        let waits = work.waiting
        if waits != waiting.value { waiting.publish(waits) }
        rearm()
        for operation in due { begin(operation) }
    }

    private func rearm() {
        guard work.nextDeadline != armed else { return }
        armed = work.nextDeadline
        if timer == nil {
            timer = domain.makeTimer { [weak self] in self?.assumeIsolated { $0.fired() } }
        }
        timer?.arm(at: armed)
    }
}
