import BelayTesting
import Testing

@testable import BelayCore

@Suite struct `A connection` {
    @Test func `does nothing before it is asked to connect`() {
        let connection = DrivenConnection()
        #expect(connection.machine.status == .idle)
        #expect(connection.machine.generation == .zero)
        #expect(connection.machine.nextDeadline == nil)
    }

    // W1, W24
    @Test func `numbers its attempts upwards through a whole life`() {
        var connection = DrivenConnection()
        var opened: [Generation] = []
        var ended: [CloseFacts] = []
        for round in 0..<5 as Range<Milliseconds> {
            let now = round * 40_000
            let id = connection.machine.generation
            let input: ConnectionInput = round == 0 ? .connect : .deadlineReached(id)
            if let id = connection.handle(input, at: now).open { opened.append(id) }
            let current = connection.machine.generation
            let end = connection.handle(.ended(current, .connectFailed(.refused)), at: now + 1)
            if let end = end.ended { ended.append(end) }
        }
        #expect(opened == (1...5).map { Generation($0) })
        #expect(ended.map(\.generation) == opened)
    }

    // W25
    @Test func `makes the same life of the same inputs and the same chance`() {
        func life(seed: UInt64) -> [String] {
            var machine = DrivenConnection().machine
            var chance = SeededGenerator(seed: seed)
            var trace: [String] = []
            var now: Milliseconds = 0
            func note(_ input: ConnectionInput, _ reaction: ConnectionReaction) {
                trace.append("\(now) \(input.line): \(reaction.line); \(machine.status)")
            }
            for step in 0..<400 {
                let id = machine.generation
                let inputs: [ConnectionInput] = [
                    .connect, .opened(id), .received(id), .pong(id, ping: 1),
                    .ended(id, .reset), .background, .foreground, .pathHint(.available),
                    .pathHint(.unavailable), .deadlineReached(id), .deadlineReached(id),
                ]
                let input = step == 0 ? .connect : inputs.randomElement(using: &chance) ?? .stop
                if case .deadlineReached = input, let next = machine.nextDeadline { now = next }
                let reaction = machine.handle(input, now: now, using: &chance)
                note(input, reaction)
            }
            return trace
        }
        #expect(life(seed: 11) == life(seed: 11))
        #expect(life(seed: 11) != life(seed: 12))
    }
}

@Suite struct `What an application sees of a connection` {
    @Test func `has a word for each status`() {
        let states: [DrivenConnection] = [
            DrivenConnection(), .connecting(), .open(), .closing(), .waiting(), .suspended(),
            .stopped(),
        ]
        #expect(
            states.map { "\($0.machine.status.name)" } == [
                "idle", "connecting", "open", "closing", "waiting", "suspended", "stopped",
            ])
    }

    @Test func `has a word for each verdict`() {
        #expect(
            InputVerdict.allCases.map { "\($0.name)" } == [
                "accepted", "stale", "alreadyEnded", "late", "duplicate", "unexpected",
            ])
    }
}
