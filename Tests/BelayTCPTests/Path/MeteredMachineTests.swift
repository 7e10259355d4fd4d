import BelayCore
import Testing

@testable import BelayTCP

extension MeteredMachine {
    /// A machine that took these inputs.
    init(after inputs: [Input]) {
        self.init()
        for input in inputs { _ = handle(input, now: 0) }
    }
}

@Suite struct `A watch over NetworkManager's word` {
    typealias Input = MeteredMachine.Input

    private static let a = ":1.4"
    private static let b = ":1.9"

    /// How each state is come to.
    private static let ways: [String: [Input]] = [
        "closed": [],
        "waiting": [.looked, .failed],
        "opening": [.looked],
        "unowned": [.looked, .owned(by: nil)],
        "asked": [.looked, .owned(by: a)],
        "told": [.looked, .owned(by: a), .said(.yes, by: a)],
        "ended": [.stopped],
    ]

    /// One line of the table: what is ordered, and the state after it.
    struct Line: CustomTestStringConvertible, Sendable {
        let state: String
        let input: Input
        let orders: [MeteredMachine.Action]
        let next: MeteredMachine.State

        init(
            _ state: String, _ input: Input, _ orders: [MeteredMachine.Action],
            _ next: MeteredMachine.State
        ) {
            (self.state, self.input, self.orders, self.next) = (state, input, orders, next)
        }

        var testDescription: String { "\(state): \(input)" }
    }

    @Test(arguments: [
        // The first look opens, and so does each after a failure.
        Line("closed", .looked, [.open], .opening(until: 5_000)),
        Line("waiting", .looked, [.open], .opening(until: 5_000)),
        Line("opening", .looked, [], .opening(until: 5_000)),
        Line("unowned", .looked, [], .unowned),
        Line("asked", .looked, [], .asked(owner: a)),
        Line("told", .looked, [], .told(.yes, owner: a)),
        Line("ended", .looked, [], .ended),

        Line("closed", .owned(by: a), [], .closed),
        Line("waiting", .owned(by: a), [], .waiting(until: 30_000)),
        Line("opening", .owned(by: a), [.ask(owner: a)], .asked(owner: a)),
        Line("unowned", .owned(by: a), [.ask(owner: a)], .asked(owner: a)),
        Line("asked", .owned(by: a), [], .asked(owner: a)),
        Line("told", .owned(by: a), [], .told(.yes, owner: a)),
        Line("ended", .owned(by: a), [], .ended),

        // Another owner: the word of the old one is gone before the new one is asked.
        Line("asked", .owned(by: b), [.ask(owner: b)], .asked(owner: b)),
        Line("told", .owned(by: b), [.report(.unknown), .ask(owner: b)], .asked(owner: b)),

        Line("closed", .owned(by: nil), [], .closed),
        Line("waiting", .owned(by: nil), [], .waiting(until: 30_000)),
        Line("opening", .owned(by: nil), [], .unowned),
        Line("unowned", .owned(by: nil), [], .unowned),
        Line("asked", .owned(by: nil), [], .unowned),
        Line("told", .owned(by: nil), [.report(.unknown)], .unowned),
        Line("ended", .owned(by: nil), [], .ended),

        Line("closed", .said(.yes, by: a), [], .closed),
        Line("waiting", .said(.yes, by: a), [], .waiting(until: 30_000)),
        Line("opening", .said(.yes, by: a), [], .opening(until: 5_000)),
        Line("unowned", .said(.yes, by: a), [], .unowned),
        Line("asked", .said(.guessYes, by: a), [.report(.yes)], .told(.guessYes, owner: a)),
        Line("asked", .said(.unknown, by: a), [], .told(.unknown, owner: a)),
        Line("told", .said(.no, by: a), [.report(.no)], .told(.no, owner: a)),
        Line("told", .said(.guessYes, by: a), [], .told(.guessYes, owner: a)),
        Line("told", .said(.unknown, by: a), [.report(.unknown)], .told(.unknown, owner: a)),
        Line("ended", .said(.yes, by: a), [], .ended),

        // Somebody who is not the owner, or no longer.
        Line("asked", .said(.yes, by: b), [], .asked(owner: a)),
        Line("told", .said(.no, by: b), [], .told(.yes, owner: a)),
        Line("told", .withdrawn(by: b), [], .told(.yes, owner: a)),

        Line("closed", .withdrawn(by: a), [], .closed),
        Line("waiting", .withdrawn(by: a), [], .waiting(until: 30_000)),
        Line("opening", .withdrawn(by: a), [], .opening(until: 5_000)),
        Line("unowned", .withdrawn(by: a), [], .unowned),
        Line("asked", .withdrawn(by: a), [.ask(owner: a)], .asked(owner: a)),
        Line("told", .withdrawn(by: a), [.report(.unknown), .ask(owner: a)], .asked(owner: a)),
        Line("ended", .withdrawn(by: a), [], .ended),

        // A bus that is not there is not waited for, and one that was is.
        Line("closed", .refused, [], .closed),
        Line("waiting", .refused, [], .closed),
        Line("opening", .refused, [.close], .closed),
        Line("ended", .refused, [], .ended),

        Line("closed", .failed, [], .closed),
        Line("waiting", .failed, [], .waiting(until: 30_000)),
        Line("opening", .failed, [.close], .waiting(until: 30_000)),
        Line("unowned", .failed, [.close], .waiting(until: 30_000)),
        Line("asked", .failed, [.close], .waiting(until: 30_000)),
        Line("told", .failed, [.close, .report(.unknown)], .waiting(until: 30_000)),
        Line("ended", .failed, [], .ended),

        Line("opening", .impossible, [.close], .ended),
        Line("closed", .impossible, [], .ended),
        Line("waiting", .impossible, [], .ended),
        Line("ended", .impossible, [], .ended),

        // Whoever stops it hears nothing more.
        Line("closed", .stopped, [], .ended),
        Line("waiting", .stopped, [], .ended),
        Line("opening", .stopped, [.close], .ended),
        Line("unowned", .stopped, [.close], .ended),
        Line("asked", .stopped, [.close], .ended),
        Line("told", .stopped, [.close], .ended),
        Line("ended", .stopped, [], .ended),
    ])
    func `answers each input in each state`(_ line: Line) throws {
        var machine = MeteredMachine(after: try #require(Self.ways[line.state]))
        #expect(machine.handle(line.input, now: 0) == line.orders)
        #expect(machine.state == line.next)
    }

    @Test func `gives a bus up that does not let it in within five seconds`() {
        var machine = MeteredMachine()
        #expect(machine.handle(.looked, now: 100) == [.open])
        #expect(machine.nextDeadline == 5_100)
        #expect(machine.handle(.deadlineReached, now: 5_099) == [])
        #expect(machine.handle(.deadlineReached, now: 5_100) == [.close])
        #expect(machine.nextDeadline == 35_100)
        #expect(machine.handle(.deadlineReached, now: 5_200) == [])
        #expect(machine.handle(.looked, now: 5_200) == [.open])
    }

    @Test(arguments: [.deadlineReached, .failed] as [Input])
    func `tries a bus that hangs or breaks off twice more, half a minute apart`(_ end: Input) {
        var machine = MeteredMachine()
        var now: Milliseconds = 0
        #expect(machine.handle(.looked, now: now) == [.open])
        for _ in 0..<2 {
            now += 5_000
            #expect(machine.handle(end, now: now) == [.close])
            now += 29_999
            #expect(machine.handle(.deadlineReached, now: now) == [])
            now += 1
            #expect(machine.handle(.deadlineReached, now: now) == [.open])
        }
        now += 5_000
        #expect(machine.handle(end, now: now) == [.close])
        #expect(machine.state == .closed && machine.nextDeadline == nil)
        // A look begins anew.
        #expect(machine.handle(.looked, now: now) == [.open])
        #expect(machine.handle(.failed, now: now) == [.close])
        #expect(machine.nextDeadline == now + 30_000)
    }

    @Test func `begins to count anew once it has heard a word`() {
        var machine = MeteredMachine(after: [.looked])
        for _ in 0..<5 {
            #expect(machine.handle(.failed, now: 0).contains(.close))
            #expect(machine.handle(.deadlineReached, now: 30_000) == [.open])
            for input in [.owned(by: Self.a), .said(.yes, by: Self.a)] as [Input] {
                _ = machine.handle(input, now: 30_000)
            }
        }
    }

    @Test func `waits no more for a bus that has gone altogether`() {
        var machine = MeteredMachine(after: [.looked, .failed])
        #expect(machine.handle(.deadlineReached, now: 30_000) == [.open])
        #expect(machine.handle(.refused, now: 30_000) == [.close])
        #expect(machine.state == .closed && machine.nextDeadline == nil)
    }

    @Test(arguments: ["closed", "unowned", "asked", "told", "ended"])
    func `awaits nothing but news in any other state`(_ state: String) throws {
        var machine = MeteredMachine(after: try #require(Self.ways[state]))
        #expect(machine.nextDeadline == nil)
        let before = machine
        #expect(machine.handle(.deadlineReached, now: .never) == [])
        #expect(machine == before)
    }
}
