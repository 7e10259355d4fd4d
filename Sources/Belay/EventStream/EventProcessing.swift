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

    /// What went wrong in an attempt, and whose fault it is.
    private struct Failure {
        let code: BelayError.Code
        let error: any Error
    }

    let ledger: any EventLedger
    let sleeper: Sleeper
    let statuses: Latest<ConnectionStatus>
    var generator: any RandomNumberGenerator & Sendable
    let evidence: (@Sendable (EvidenceRecord) -> Void)?
    let asides: (@Sendable (EventStreamAside) async -> Void)?

    /// Takes one element: `handler` may suspend; `commit` stores, and is asked after it.
    mutating func process(
        _ element: StreamElement, with handler: (ServerSentEvent) async throws -> Void,
        committing commit: (ServerSentEvent) throws -> Void
    ) async -> Outcome {
        switch element {
        case .aside(let aside):
            await asides?(aside)
            return .passed
        case .moved(let id, let generation):
            do {
                try ledger.moved(to: id)
            } catch {
                return ledgerFailed(error, of: generation)
            }
            record(id, of: generation, .moved)
            return .passed
        case .event(let event, let generation):
            let id = event.id.flatMap { EventID($0) }
            let offer = ResumeMachine.Offer(ownID: id, lastEventID: EventID(event.lastEventID))
            do {
                if try ledger.offer(offer) == .skipCommitted {
                    record(id, of: generation, .skipped)
                    return .passed
                }
            } catch {
                return ledgerFailed(error, of: generation)
            }
            return await handle(event, id: id, of: generation, with: handler, committing: commit)
        }
    }

    private mutating func handle(
        _ event: ServerSentEvent, id: EventID?, of generation: Generation,
        with handler: (ServerSentEvent) async throws -> Void,
        committing commit: (ServerSentEvent) throws -> Void
    ) async -> Outcome {
        var attempt = 1
        var isHandled = false
        while true {
            let failure = await self.attempt(
                event, isHandled: &isHandled, with: handler, committing: commit)
            guard let failure else {
                record(id, of: generation, .committed)
                return .committed(generation)
            }
            if let end = await failed(attempt, failure, id: id, of: generation) { return end }
            attempt += 1
        }
    }

    /// Handles and commits. What was handled is not handled again where only the commit failed.
    private func attempt(
        _ event: ServerSentEvent, isHandled: inout Bool,
        with handler: (ServerSentEvent) async throws -> Void,
        committing commit: (ServerSentEvent) throws -> Void
    ) async -> Failure? {
        do {
            if !isHandled { try await handler(event) }
        } catch {
            return Failure(code: .handlerGaveUp, error: error)
        }
        isHandled = true
        do {
            try commit(event)
            return nil
        } catch let failure as HandlerFailure {
            return Failure(code: .handlerGaveUp, error: failure.cause)
        } catch {
            return Failure(code: .ledgerFailed, error: error)
        }
    }

    /// Waits for the next attempt; an outcome where there is none.
    private mutating func failed(
        _ attempt: Int, _ failure: Failure, id: EventID?, of generation: Generation
    ) async -> Outcome? {
        guard !Task.isCancelled else {
            record(id, of: generation, .failed(attempt: attempt))
            return abandon(.cancelled, of: generation)
        }
        switch ledger.failed(using: &generator) {
        case .giveUp:
            record(id, of: generation, .gaveUp(attempt: attempt))
            return abandon(
                failure.code, of: generation, underlying: String(describing: failure.error))
        case .retry(let wait):
            record(id, of: generation, .failed(attempt: attempt))
            await sleeper.sleep(for: wait)
            if Task.isCancelled { return abandon(.cancelled, of: generation) }
            guard isClosed else { return nil }
            ledger.abandoned()
            return .closed
        }
    }

    private func ledgerFailed(_ error: any Error, of generation: Generation) -> Outcome {
        abandon(.ledgerFailed, of: generation, underlying: String(describing: error))
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
