import BelayCore
import Testing

@testable import BelayTCP

@Suite struct `A timer wheel` {
    /// The same rules by a list that is sorted whenever it is asked.
    private struct SortedTimers {
        private var armed: [(deadline: Milliseconds, order: Int, id: Int)] = []
        private var order = 0

        var nextDeadline: Milliseconds? { armed.map(\.deadline).min() }

        mutating func arm(_ id: Int, at deadline: Milliseconds) {
            armed.removeAll { $0.id == id }
            order += 1
            if deadline != .never { armed.append((deadline, order, id)) }
        }

        mutating func takeDue(at now: Milliseconds) -> [(deadline: Milliseconds, id: Int)] {
            let due = armed.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
            armed.removeAll { $0.deadline <= now }
            return due.map { ($0.deadline, $0.id) }
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private func due(_ wheel: inout TimerWheel, at now: Milliseconds) -> [TimerWheel.ID] {
        wheel.advance(to: now)
        var ids: [TimerWheel.ID] = []
        while let id = wheel.takeDue() { ids.append(id) }
        return ids
    }

    @Test(
        arguments: [
            1, 2, 63, 64, 65, 4_095, 4_096, 4_097, 262_143, 262_144, 86_400_000, 1 << 40, 1 << 62,
            .max - 1,
        ] as [Milliseconds])
    func `fires at its millisecond, not one before`(_ length: Milliseconds) {
        for start in [0, 1, 63, 64, 12_345_678] as [Milliseconds] where length < .max - start {
            var wheel = TimerWheel(now: start)
            let id = wheel.add()
            let deadline = start + length
            wheel.arm(id, at: deadline)
            #expect(due(&wheel, at: deadline - 1).isEmpty)
            #expect(wheel.nextDeadline == deadline)
            #expect(due(&wheel, at: deadline) == [id])
            #expect(wheel.nextDeadline == nil)
        }
    }

    @Test func `fires every pair of near start and deadline at its millisecond`() {
        var wrong: [String] = []
        for start in 0..<200 as Range<Milliseconds> {
            for deadline in start..<start + 200 {
                var wheel = TimerWheel(now: start)
                let id = wheel.add()
                wheel.arm(id, at: deadline)
                let early = deadline > start ? due(&wheel, at: deadline - 1) : []
                if !early.isEmpty || due(&wheel, at: deadline) != [id] {
                    wrong.append("\(start) to \(deadline)")
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func `agrees with a sorted list in every order of calls`(_ seed: UInt64) {
        var chance = SplitMix(state: seed)
        var now = Milliseconds(chance.next() >> UInt64.random(in: 1...63, using: &chance)) / 4
        var wheel = TimerWheel(now: now)
        var model = SortedTimers()
        let ids = (0..<24).map { _ in wheel.add() }
        for _ in 0..<600 {
            let index = Int.random(in: 0..<ids.count, using: &chance)
            let scale = Milliseconds(1) << Milliseconds.random(in: 0...40, using: &chance)
            switch chance.next() % 8 {
            case 0...3:
                let deadline = now + Milliseconds.random(in: -2...scale, using: &chance)
                wheel.arm(ids[index], at: deadline)
                model.arm(index, at: deadline)
            case 4:
                wheel.disarm(ids[index])
                model.arm(index, at: .never)
            default:
                now = min(now + Milliseconds.random(in: 0...scale, using: &chance), .max / 2)
                let expected = model.takeDue(at: now)
                let fired = due(&wheel, at: now).map { id in Int(id.index) }
                #expect(Set(fired) == Set(expected.map(\.id)))
            }
            let (next, earliest) = (wheel.nextDeadline, model.nextDeadline)
            #expect((next == nil) == (earliest == nil))
            if let next, let earliest { #expect(next <= max(now, earliest)) }
        }
    }

    @Test func `fires in the order of deadlines, and of arming within a millisecond`() {
        var wheel = TimerWheel(now: 0)
        let ids = (0..<6).map { _ in wheel.add() }
        for (id, deadline) in zip(ids, [5_000, 70, 3, 70, 4_096, 3] as [Milliseconds]) {
            wheel.arm(id, at: deadline)
        }
        #expect(due(&wheel, at: 10_000) == [ids[2], ids[5], ids[1], ids[3], ids[4], ids[0]])
    }

    @Test func `comes to a far deadline by at most ten moves`() {
        var wheel = TimerWheel(now: 1)
        let id = wheel.add()
        wheel.arm(id, at: .max - 1)
        var moves = 0
        while let next = wheel.nextDeadline, next < .max - 1 {
            #expect(due(&wheel, at: next).isEmpty)
            moves += 1
        }
        #expect(moves <= 10)
        #expect(due(&wheel, at: .max - 1) == [id])
    }

    @Test func `never fires what is armed at the end of time`() {
        var wheel = TimerWheel(now: 0)
        let id = wheel.add()
        wheel.arm(id, at: .max)
        #expect(wheel.nextDeadline == nil)
        #expect(due(&wheel, at: .max).isEmpty)
    }

    @Test(arguments: [Milliseconds.min, -1, 0, 99, 100])
    func `fires a past deadline on the next advance, not in the same`(_ past: Milliseconds) {
        var wheel = TimerWheel(now: 100)
        let id = wheel.add()
        wheel.arm(id, at: past)
        #expect(wheel.nextDeadline == 100)
        wheel.advance(to: 100)
        #expect(wheel.takeDue() == id)
        wheel.arm(id, at: past)
        #expect(wheel.takeDue() == nil)
        #expect(due(&wheel, at: 100) == [id])
    }

    @Test func `keeps only the last deadline of a timer that is armed again`() {
        var wheel = TimerWheel(now: 0)
        let id = wheel.add()
        wheel.arm(id, at: 10)
        wheel.arm(id, at: 500)
        #expect(due(&wheel, at: 499).isEmpty)
        #expect(due(&wheel, at: 500) == [id])
    }

    @Test func `does not fire a due timer that an earlier one disarms`() {
        var wheel = TimerWheel(now: 0)
        let (first, second) = (wheel.add(), wheel.add())
        wheel.arm(first, at: 10)
        wheel.arm(second, at: 11)
        wheel.advance(to: 20)
        #expect(wheel.takeDue() == first)
        wheel.disarm(second)
        #expect(wheel.takeDue() == nil)
    }

    @Test func `uses the number of a removed timer again`() {
        var wheel = TimerWheel(now: 0)
        let id = wheel.add()
        wheel.arm(id, at: 10)
        wheel.remove(id)
        #expect(wheel.add() == id)
        #expect(due(&wheel, at: 20).isEmpty)
    }
}
