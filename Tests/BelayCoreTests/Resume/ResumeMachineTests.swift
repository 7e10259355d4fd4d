import BelayCore
import BelayTesting
import Testing

private func event(_ id: String) -> ResumeMachine.Offer {
    ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
}

@Suite struct `Resuming` {
    // E2, E4, E13
    @Test func `asks for what follows the last processed event`() {
        var first = ResumeMachine()
        #expect(first.cursor == nil)
        #expect(first.offer(event("1")) == .handle(attempt: 1))
        first.succeeded()
        #expect(first.cursor == EventID("1"))

        var second = ResumeMachine(cursor: first.cursor)
        for id in ["2", "3"] {
            #expect(second.offer(event(id)) == .handle(attempt: 1))
            second.succeeded()
        }
        #expect(second.cursor == EventID("3"))
    }

    // E3, E4
    @Test func `moves the cursor when the handler returned, not when the event came`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        _ = machine.offer(event("2"))
        #expect(machine.isHandling)
        #expect(machine.cursor == EventID("1"))
        machine.succeeded()
        #expect(machine.cursor == EventID("2"))
    }

    // E5, E6
    @Test func `does not handle a replayed event again`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        _ = machine.offer(event("2"))
        machine.succeeded()
        #expect(machine.offer(event("1")) == .skipCommitted)
        #expect(machine.offer(event("2")) == .skipCommitted)
        #expect(machine.cursor == EventID("2"))
        #expect(machine.offer(event("3")) == .handle(attempt: 1))
    }

    /// A request could not say it, and one without a cursor would replay all or lose what came.
    @Test(arguments: ["\u{1}", "a\u{7F}", "a\nb", "\u{0}"])
    func `keeps the cursor on an id that a request can say`(_ unsayable: String) {
        var machine = ResumeMachine(cursor: EventID("1"))
        #expect(machine.offer(event(unsayable)) == .handle(attempt: 1))
        machine.succeeded()
        machine.moved(to: EventID(unsayable + "x"))
        #expect(machine.cursor == EventID("1"))
        // The server replays it, since it is told of the one before; it is known.
        #expect(machine.offer(event(unsayable)) == .skipCommitted)
        #expect(machine.offer(event("a\té")) == .handle(attempt: 1))
        machine.succeeded()
        #expect(machine.cursor == EventID("a\té"))
    }

    // E14
    @Test func `leaves the cursor when the handler failed, and gives it the event again`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        var chance = ExtremeChance.greatest
        _ = machine.offer(event("2"))
        #expect(machine.failed(using: &chance) == .retry(after: 1_000))
        #expect(machine.failed(using: &chance) == .retry(after: 2_000))
        #expect(machine.cursor == EventID("1"))
        #expect(machine.isHandling)
        machine.succeeded()
        #expect(machine.cursor == EventID("2"))
    }

    // E14
    @Test func `counts failures of each event on its own`() {
        var machine = ResumeMachine()
        var chance = ExtremeChance.greatest
        _ = machine.offer(event("1"))
        _ = machine.failed(using: &chance)
        machine.succeeded()
        _ = machine.offer(event("2"))
        #expect(machine.failed(using: &chance) == .retry(after: 1_000))
    }

    // E14
    @Test func `gives up at the limit, before the event`() {
        var machine = ResumeMachine(policy: ResumePolicy(attemptLimit: 2))
        var chance = ExtremeChance.greatest
        _ = machine.offer(event("1"))
        #expect(machine.failed(using: &chance) == .retry(after: 1_000))
        #expect(machine.failed(using: &chance) == .giveUp)
        #expect(machine.cursor == nil)
        machine.abandoned()
        #expect(machine.offer(event("1")) == .handle(attempt: 1))
    }

    // E10, E14
    @Test func `gives a place that could not be stored the waits and the limit of an event`() {
        var machine = ResumeMachine(policy: ResumePolicy(attemptLimit: 3))
        var chance = ExtremeChance.greatest
        #expect(machine.failed(using: &chance) == .retry(after: 1_000))
        #expect(machine.failed(using: &chance) == .retry(after: 2_000))
        #expect(!machine.isHandling)
        machine.moved(to: EventID("9"))
        #expect(machine.cursor == EventID("9"))
        for _ in 0..<2 { _ = machine.failed(using: &chance) }
        machine.restarted(at: EventID("3"))
        #expect(machine.offer(event("4")) == .handle(attempt: 1))
        machine.succeeded()
        // Each place counts on its own.
        #expect(machine.failed(using: &chance) == .retry(after: 1_000))
        for _ in 0..<2 { _ = machine.failed(using: &chance) }
        machine.abandoned()
        #expect(machine.offer(event("5")) == .handle(attempt: 1))
    }

    @Test func `never gives up without a limit`() {
        var machine = ResumeMachine(policy: ResumePolicy(attemptLimit: nil))
        var chance = SeededGenerator(seed: 5)
        _ = machine.offer(event("1"))
        let answers = (0..<100).map { _ in machine.failed(using: &chance) }
        #expect(!answers.contains(.giveUp))
    }

    // E3, E14, E15
    @Test func `offers an abandoned event again`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        _ = machine.offer(event("2"))
        machine.abandoned()
        #expect(machine.cursor == EventID("1"))
        #expect(!machine.isHandling)
        #expect(machine.offer(event("2")) == .handle(attempt: 1))
    }

    // E11
    @Test func `handles each event without an id, for it is no replay`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        let nameless = ResumeMachine.Offer(ownID: nil, lastEventID: EventID("1"))
        for _ in 0..<2 {
            #expect(machine.offer(nameless) == .handle(attempt: 1))
            machine.succeeded()
            #expect(machine.cursor == EventID("1"))
        }
    }

    // E13
    @Test func `is not taken back by the replay of a block that moved it earlier`() {
        var machine = ResumeMachine()
        machine.moved(to: EventID("1"))
        _ = machine.offer(event("2"))
        machine.succeeded()
        machine.moved(to: EventID("1"))
        #expect(machine.cursor == EventID("2"))
        machine.moved(to: EventID("3"))
        #expect(machine.cursor == EventID("3"))
    }

    // E2, E6, E11
    @Test func `is not taken back by a replay of what lies behind its cursor`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        _ = machine.offer(event("2"))
        machine.succeeded()
        #expect(machine.offer(event("1")) == .skipCommitted)
        _ = machine.offer(ResumeMachine.Offer(ownID: nil, lastEventID: EventID("1")))
        machine.succeeded()
        #expect(machine.cursor == EventID("2"))
        machine.moved(to: EventID("1"))
        #expect(machine.cursor == EventID("2"))
    }

    // E11
    @Test func `says no last event id after an empty one`() {
        var machine = ResumeMachine(cursor: EventID("1"))
        _ = machine.offer(ResumeMachine.Offer(ownID: nil, lastEventID: nil))
        machine.succeeded()
        #expect(machine.cursor == nil)
        machine.moved(to: EventID("7"))
        #expect(machine.cursor == EventID("7"))
        machine.moved(to: nil)
        #expect(machine.cursor == nil)
    }

    // E11
    @Test func `handles an event whose id was only announced by an empty block`() {
        var machine = ResumeMachine()
        machine.moved(to: EventID("7"))
        #expect(machine.offer(event("7")) == .handle(attempt: 1))
    }
}

@Suite struct `Resuming where ids are not unique` {
    private let policy = ResumePolicy(duplicates: .handled)

    // E4, E14
    @Test func `handles an id as often as it comes, and follows it`() {
        var machine = ResumeMachine(cursor: EventID("2"), policy: policy)
        for id in ["1", "2", "3", "1", "2", "2"] {
            #expect(machine.offer(event(id)) == .handle(attempt: 1))
            machine.succeeded()
            #expect(machine.cursor == EventID(id))
        }
    }

    // E11
    @Test func `follows a block and an event without an id to where they stand`() {
        var machine = ResumeMachine(restored: EventID("5"), policy: policy)
        for id in ["6", "5", "6"] {
            machine.moved(to: EventID(id))
            #expect(machine.cursor == EventID(id))
        }
        machine.recalled(EventID("1")!)
        _ = machine.offer(ResumeMachine.Offer(ownID: nil, lastEventID: EventID("1")))
        machine.succeeded()
        #expect(machine.cursor == EventID("1"))
    }

    // E2
    @Test func `handles also the event that a snapshot stands at`() {
        var machine = ResumeMachine(policy: policy)
        machine.restarted(at: EventID("7"))
        #expect(machine.offer(event("7")) == .handle(attempt: 1))
    }
}

@Suite struct `Resuming from a record that knows what was committed` {
    // E5, E6
    @Test func `skips what the record recalls, however long ago it was`() {
        var machine = ResumeMachine(
            restored: EventID("9"), policy: ResumePolicy(window: 1))
        for id in ["1", "5", "9"] {
            if let id = EventID(id) { machine.recalled(id) }
            #expect(machine.offer(event(id)) == .skipCommitted)
        }
        #expect(machine.cursor == EventID("9"))
    }

    // E6, E11
    @Test func `is not taken back to what the record recalls`() {
        var machine = ResumeMachine(restored: EventID("9"), policy: ResumePolicy(window: 1))
        if let id = EventID("1") { machine.recalled(id) }
        machine.moved(to: EventID("1"))
        #expect(machine.cursor == EventID("9"))
    }

    // E5, E6
    @Test func `handles what the record was told to forget`() {
        var machine = ResumeMachine(restored: nil, policy: ResumePolicy(window: 1))
        for _ in 0..<2 {
            if let id = EventID("1") { machine.forgot(id) }
            #expect(machine.offer(event("1")) == .handle(attempt: 1))
            machine.succeeded()
        }
        machine.moved(to: EventID("5"))
        machine.moved(to: EventID("6"))
        machine.forgotPlaces()
        machine.moved(to: EventID("5"))
        #expect(machine.cursor == EventID("5"))
    }

    // E11
    @Test func `does not take its cursor's id for an event's`() {
        var machine = ResumeMachine(restored: EventID("7"))
        #expect(machine.offer(event("7")) == .handle(attempt: 1))
    }
}

@Suite struct `Resuming misused` {
    @Test func `traps on an offer while the handler has an event`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine()
            _ = machine.offer(.init(ownID: EventID("1"), lastEventID: EventID("1")))
            _ = machine.offer(.init(ownID: EventID("2"), lastEventID: EventID("2")))
        }
    }

    @Test func `traps on an offer after it gave up`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine(policy: ResumePolicy(attemptLimit: 1))
            var chance = SystemRandomNumberGenerator()
            _ = machine.offer(.init(ownID: EventID("1"), lastEventID: EventID("1")))
            _ = machine.failed(using: &chance)
            _ = machine.offer(.init(ownID: EventID("1"), lastEventID: EventID("1")))
        }
    }

    @Test func `traps on success without an event`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine()
            machine.succeeded()
        }
    }

    @Test func `traps on failure after it gave up`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine(policy: ResumePolicy(attemptLimit: 1))
            var chance = SystemRandomNumberGenerator()
            _ = machine.failed(using: &chance)
            _ = machine.failed(using: &chance)
        }
    }

    @Test func `traps on an event before a place that could not be stored`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine()
            var chance = SystemRandomNumberGenerator()
            _ = machine.failed(using: &chance)
            _ = machine.offer(.init(ownID: EventID("1"), lastEventID: EventID("1")))
        }
    }

    @Test func `traps on a move of the cursor under a running handler`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine()
            _ = machine.offer(.init(ownID: EventID("1"), lastEventID: EventID("1")))
            machine.moved(to: EventID("2"))
        }
    }

    @Test func `traps on a snapshot under a running handler`() async {
        await #expect(processExitsWith: .failure) {
            var machine = ResumeMachine()
            _ = machine.offer(.init(ownID: EventID("1"), lastEventID: EventID("1")))
            machine.restarted(at: EventID("2"))
        }
    }
}
