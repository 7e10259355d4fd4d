import BelayCore
import BelayTransport
import BelayWire

/// One event's way through the handler: offer, handle, commit; or wait, and handle again.
struct EventProcessing {
    /// What became of an element.
    enum Outcome {
        /// The handler returned and the cursor moved.
        case committed(Generation)
        /// There was nothing to handle.
        case passed
        /// Processing ends here; the cursor stands before the event.
        case failed(BelayError)
        /// The program closed the stream meanwhile; the cursor stands before the event.
        case closed
    }

    let ledger: MemoryLedger
    let sleeper: Sleeper
    let statuses: Latest<ConnectionStatus>
    var generator: any RandomNumberGenerator & Sendable
    let evidence: (@Sendable (EvidenceRecord) -> Void)?

    mutating func process(
        _ element: StreamElement, with handler: (ServerSentEvent) async throws -> Void
    ) async -> Outcome {
        switch element {
        case .moved(let id, _):
            ledger.moved(to: id)
            return .passed
        case .event(let event, let generation):
            let id = event.id.flatMap { EventID($0) }
            let offer = ResumeMachine.Offer(ownID: id, lastEventID: EventID(event.lastEventID))
            switch ledger.offer(offer) {
            case .skipCommitted:
                record(id, of: generation, .skipped)
                return .passed
            case .handle:
                return await handle(event, id: id, of: generation, with: handler)
            }
        }
    }

    private mutating func handle(
        _ event: ServerSentEvent, id: EventID?, of generation: Generation,
        with handler: (ServerSentEvent) async throws -> Void
    ) async -> Outcome {
        var attempt = 1
        while true {
            do {
                try await handler(event)
                ledger.succeeded()
                record(id, of: generation, .committed)
                return .committed(generation)
            } catch {
                if let end = await failed(attempt, error, id: id, of: generation) { return end }
            }
            attempt += 1
        }
    }

    /// Waits for the next attempt; an outcome where there is none.
    private mutating func failed(
        _ attempt: Int, _ error: any Error, id: EventID?, of generation: Generation
    ) async -> Outcome? {
        guard !Task.isCancelled else {
            record(id, of: generation, .failed(attempt: attempt))
            return abandon(.cancelled, of: generation)
        }
        switch ledger.failed(using: &generator) {
        case .giveUp:
            record(id, of: generation, .gaveUp(attempt: attempt))
            return abandon(.handlerGaveUp, of: generation, underlying: String(describing: error))
        case .retry(let wait):
            record(id, of: generation, .failed(attempt: attempt))
            await sleeper.sleep(for: wait)
            if Task.isCancelled { return abandon(.cancelled, of: generation) }
            guard isClosed else { return nil }
            ledger.abandoned()
            return .closed
        }
    }

    /// Whether the program closed the stream: it waits for no further attempt.
    private var isClosed: Bool { statuses.value == .stopped(.closedLocally) }

    private func abandon(
        _ code: BelayError.Code, of generation: Generation, underlying: String? = nil
    ) -> Outcome {
        ledger.abandoned()
        return .failed(BelayError(code, generation: generation, underlying: underlying))
    }

    private func record(_ id: EventID?, of generation: Generation, _ result: EventRecord.Result) {
        evidence?(
            .event(
                EventRecord(
                    at: sleeper.now, generation: generation, id: id, result: result,
                    cursor: ledger.cursor)))
    }
}
