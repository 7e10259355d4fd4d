import BelayCore
import BelayTransport
import BelayWire

/// The one way of events to the app: offer, hand over, settle; or wait, and hand over again.
///
/// `process` and `deliveries` are both loops over it. One event is in the app's hand at a time,
/// and what is asked next while it is there counts as its failure: nothing is passed over silently.
final class EventReading {
    /// How a wait between attempts ended.
    private enum Pause {
        case passed
        case closed
    }

    /// What went wrong in an attempt, and whose fault it is.
    private struct Failure {
        let code: BelayError.Code
        let error: any Error
    }

    /// What follows from a failure.
    private enum Consequence {
        case retry(after: Milliseconds)
        case end(BelayError)
    }

    private enum State {
        /// Nobody asked for an event yet.
        case before
        /// The ledger is ours, and no event is in the app's hand.
        case between
        case inHand(InHand)
        /// It failed, and nobody has asked for it again yet.
        case failed(InHand, Consequence)
        /// A wait between two attempts passes, at an event or at a place to be stored.
        case waiting
        /// The ledger is let go, and the connection with it.
        case over
    }

    let ledger: any EventLedger
    private let snapshotHook: SnapshotHook?
    private let driver: ConnectionDriver<EventStreamRole>
    /// How often the program had closed the stream when this was called.
    private let closes: Int
    /// Waits between attempts.
    private let sleeper: Sleeper
    private var generator: any RandomNumberGenerator & Sendable
    private let evidence: (@Sendable (EvidenceRecord) -> Void)?
    private let asides: (@Sendable (EventStreamAside) async -> Void)?
    /// Letting it go stops the driver.
    private var scope: ReadingScope<EventStreamRole>?
    private var state = State.before
    private var number: UInt64 = 0

    init(
        _ driver: ConnectionDriver<EventStreamRole>, ledger: any EventLedger,
        snapshotHook: SnapshotHook?, sleeper: Sleeper,
        generator: any RandomNumberGenerator & Sendable,
        evidence: (@Sendable (EvidenceRecord) -> Void)?,
        asides: (@Sendable (EventStreamAside) async -> Void)?
    ) {
        self.driver = driver
        closes = driver.closes.value
        self.ledger = ledger
        self.snapshotHook = snapshotHook
        self.sleeper = sleeper
        self.generator = generator
        self.evidence = evidence
        self.asides = asides
    }

    /// The next event, or the present one again; `nil` where the stream ended as it was meant to.
    func next() async throws(BelayError) -> InHand? {
        switch state {
        case .before: try begin()
        case .between: break
        case .inHand(let event): fail(event.number, with: Unsettled())
        case .failed: break
        case .waiting: throw BelayError(.alreadyReading, generation: .zero)
        case .over: return nil
        }
        guard case .failed(let event, let consequence) = state else { return try await read() }
        guard case .passed = try await pause(in: event.generation, consequence) else { return nil }
        return handOver(event, attempt: event.attempt + 1)
    }

    /// The app is done with the event: `store` is asked, again after waits where it throws.
    func settle(
        _ number: UInt64, as result: EventRecord.Result, storing store: () throws -> Void
    ) async throws(BelayError) -> Settlement {
        var result = result
        while true {
            guard case .inHand(var event) = state, event.number == number else { throw isOver }
            let failure: Failure
            do {
                try result == .passedOver ? ledger.passOver() : store()
                state = .between
                record(event, result)
                driver.submit(.progressed(event.generation))
                return .stored
            } catch let caught as HandlerFailure {
                guard !(caught.cause is SkipEvent) else {
                    result = .passedOver  // What it wrote is rolled back.
                    continue
                }
                failure = Failure(code: .handlerGaveUp, error: caught.cause)
            } catch {
                failure = Failure(code: .ledgerFailed, error: error)
            }
            let consequence = self.consequence(of: failure, for: event)
            guard case .passed = try await pause(in: event.generation, consequence) else {
                return .closed
            }
            event.attempt += 1
            state = .inHand(event)
        }
    }

    /// The handler failed: the event comes again after a wait, or it was the last time.
    func fail(_ number: UInt64, with error: any Error) {
        guard case .inHand(let event) = state, event.number == number else { return }
        let failure = Failure(code: .handlerGaveUp, error: error)
        state = .failed(event, consequence(of: failure, for: event))
    }

    /// Ends reading; an event that is in the app's hand comes again, another time.
    func end() {
        switch state {
        case .over: return
        case .before: break
        case .between: letGo()
        case .inHand, .failed, .waiting:
            ledger.abandoned()
            letGo()
        }
        state = .over
    }
}

extension EventReading {
    /// Why an event failed that nobody said anything of.
    struct Unsettled: Error, CustomStringConvertible {
        var description: String {
            "the next event was asked for, and this one neither committed nor skipped"
        }
    }

    /// Why a delivery cannot be settled.
    private var isOver: BelayError { BelayError(.deliveryOver, generation: .zero) }

    /// Whether the program closed the stream: it wants no further event, and no further attempt.
    private var isClosed: Bool { driver.closes.value != closes }

    private func begin() throws(BelayError) {
        let isOurs: Bool
        do {
            isOurs = try ledger.acquire()
        } catch {
            throw end(.ledgerFailed, of: .zero, error)
        }
        guard isOurs else { throw end(.alreadyReading, of: .zero) }
        scope = ReadingScope(driver, after: closes)
        state = .between
        if let refusal = refusal(of: ledger.cursor, from: .ledger, in: .zero) { throw refusal }
    }

    /// Ends reading where no request can say the cursor: each attempt would be refused unsent.
    private func refusal(
        of cursor: EventID?, from origin: BelayError.CursorOrigin, in generation: Generation
    ) -> BelayError? {
        guard let cursor, let offset = cursor.firstUnsayable else { return nil }
        end()
        return BelayError(
            .cursorCannotBeAskedFor(origin), generation: generation,
            underlying: "byte \(cursor.utf8[offset]) at offset \(offset) of the id")
    }

    private func read() async throws(BelayError) -> InHand? {
        guard let scope else { return nil }
        while let element = await wanted(of: scope) {
            switch element {
            case .aside(let aside):
                await asides?(aside)
                // The loop may have been left meanwhile, by another task of the same actor.
                guard case .between = state else { throw isOver }
            case .tooOld(let cause, let generation):
                let pause = try await restart(by: cause, of: generation)
                guard case .passed = pause else { return nil }
            case .moved(let id, let generation):
                let pause = try await place(at: id, in: generation) { try ledger.moved(to: id) }
                guard case .passed = pause else { return nil }
                record(id, of: generation, .moved, lastEventID: id)
            case .event(let event, let generation):
                if let event = try offer(event, of: generation) { return event }
            }
        }
        return try ended(scope.end)
    }

    /// The next element. Once the program closed only the end is left to tell: what is queued is
    /// dropped. The cursor stands before it, so it comes again in another life.
    private func wanted(of scope: ReadingScope<EventStreamRole>) async -> StreamElement? {
        while let element = await scope.element() {
            guard isClosed else { return element }
            if case .aside(.closed) = element { return element }
        }
        return nil
    }

    /// Stores where the stream stands; again after waits, as a commit, where the ledger cannot.
    private func place(
        at id: EventID?, in generation: Generation, storing store: () throws -> Void
    ) async throws(BelayError) -> Pause {
        var attempt = 1
        while true {
            do {
                try store()
                state = .between
                return .passed
            } catch {
                state = .waiting  // Whoever ends it here abandons what the ledger was told.
                let consequence = consequence(
                    of: Failure(code: .ledgerFailed, error: error), attempt, in: generation
                ) { record(id, of: generation, $0) }
                guard case .passed = try await pause(in: generation, consequence) else {
                    return .closed
                }
            }
            attempt += 1
        }
    }

    /// Takes a snapshot, unless the stream was ended meanwhile.
    private func restart(
        by cause: CloseCause, of generation: Generation
    ) async throws(BelayError) -> Pause {
        guard let snapshotHook, isAwaitingSnapshot(of: generation) else { return .passed }
        let stale = StaleCursor(generation: generation, cursor: ledger.cursor, cause: cause)
        let statuses = LatestValues(source: driver.statuses)
        let resumption = await snapshotHook.ask(stale, while: statuses)
        // The loop may have been left meanwhile, by another task of the same actor.
        guard case .between = state else { throw isOver }
        guard !Task.isCancelled else { throw end(.cancelled, of: generation) }
        guard isAwaitingSnapshot(of: generation) else { return .passed }
        switch resumption {
        case .from(let id):
            if let refusal = refusal(of: id, from: .snapshot, in: generation) {
                record(id, of: generation, .snapshotFailed, lastEventID: id)
                throw refusal
            }
            let pause = try await place(at: id, in: generation) { try ledger.restarted(at: id) }
            guard case .passed = pause else { return .closed }
            record(id, of: generation, .restarted)
        case .stop:
            throw end(.closed(cause), of: generation)
        case nil:
            record(nil, of: generation, .snapshotFailed)
        }
        driver.submit(.snapshotEnded(generation))
        return .passed
    }

    private func isAwaitingSnapshot(of generation: Generation) -> Bool {
        !isClosed && driver.statuses.value == .awaitingSnapshot(generation)
    }

    /// `nil` for an event that was committed before.
    private func offer(
        _ event: ServerSentEvent, of generation: Generation
    ) throws(BelayError) -> InHand? {
        let id = event.id.flatMap { EventID($0) }
        let offer = ResumeMachine.Offer(ownID: id, lastEventID: EventID(event.lastEventID))
        do {
            if try ledger.offer(offer) == .skipCommitted {
                record(id, of: generation, .skipped)
                return nil
            }
        } catch {
            throw end(.ledgerFailed, of: generation, error)
        }
        return handOver(
            InHand(event: event, id: id, generation: generation, number: 0), attempt: 1)
    }

    private func handOver(_ event: InHand, attempt: Int) -> InHand {
        number += 1
        var event = event
        event.number = number
        event.attempt = attempt
        state = .inHand(event)
        return event
    }

    private func consequence(of failure: Failure, for event: InHand) -> Consequence {
        consequence(of: failure, event.attempt, in: event.generation) { record(event, $0) }
    }

    private func consequence(
        of failure: Failure, _ attempt: Int, in generation: Generation,
        recording record: (EventRecord.Result) -> Void
    ) -> Consequence {
        guard !Task.isCancelled else {
            record(.failed(attempt: attempt))
            return .end(BelayError(.cancelled, generation: generation))
        }
        switch ledger.failed(using: &generator) {
        case .giveUp:
            record(.gaveUp(attempt: attempt))
            return .end(
                BelayError(
                    failure.code, generation: generation,
                    underlying: String(describing: failure.error)))
        case .retry(let wait):
            record(.failed(attempt: attempt))
            return .retry(after: wait)
        }
    }

    /// Lets the wait pass before the next attempt, if there is to be one.
    private func pause(
        in generation: Generation, _ consequence: Consequence
    ) async throws(BelayError) -> Pause {
        switch consequence {
        case .end(let error):
            end()
            throw error
        case .retry(let wait):
            state = .waiting
            await sleeper.sleep(for: wait) { [driver, closes] in driver.closes.value != closes }
            // Whoever closed finds the connection ended as well, and is told so.
            while isClosed, let scope, case .aside(let aside)? = await wanted(of: scope) {
                await asides?(aside)
            }
        }
        // The loop may have been left meanwhile, by another task of the same actor.
        guard case .waiting = state else { throw isOver }
        if Task.isCancelled { throw end(.cancelled, of: generation) }
        guard isClosed else { return .passed }
        end()
        return .closed
    }

    /// Why reading ended, as the app must know it.
    private func ended(_ reason: ReadingEnd) throws(BelayError) -> InHand? {
        switch reason {
        case .cancelled: throw end(.cancelled, of: .zero)
        case .refused: throw end(.alreadyReading, of: .zero)
        case .stopped(.closedLocally), .stopped(.toldToStop): end()
        case .stopped(let cause): throw end(.closed(cause), of: .zero)
        }
        return nil
    }

    /// Ends reading, by this error.
    private func end(
        _ code: BelayError.Code, of generation: Generation, _ error: (any Error)? = nil
    ) -> BelayError {
        end()
        return BelayError(
            code, generation: generation, underlying: error.map { String(describing: $0) })
    }

    /// First the connection, then the ledger: whoever has it next finds nobody who reads.
    private func letGo() {
        scope = nil
        ledger.release()
    }

    private func record(_ event: InHand, _ result: EventRecord.Result) {
        let lastEventID = EventID(event.event.lastEventID)
        record(event.id, of: event.generation, result, lastEventID: lastEventID)
    }

    private func record(
        _ id: EventID?, of generation: Generation, _ result: EventRecord.Result,
        lastEventID: EventID? = nil
    ) {
        guard let evidence else { return }
        let isUnsayable = lastEventID.map { !$0.canBeAskedFor } ?? false
        let wantsTheCursor = result.movesTheCursor || result == .snapshotFailed
        evidence(
            .event(
                EventRecord(
                    at: sleeper.now, generation: generation, id: id, result: result,
                    cursor: ledger.cursor,
                    cannotBeAskedFor: wantsTheCursor && isUnsayable)))
    }
}
