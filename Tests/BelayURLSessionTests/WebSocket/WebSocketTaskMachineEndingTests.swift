import BelayCore
import BelayTransport
import Testing

@testable import BelayURLSession

@Suite struct `The end of a WebSocket task` {
    /// Reports of one death, in one order.
    struct Death: CustomTestStringConvertible, Sendable {
        let reports: [MachineRun.Input]

        var testDescription: String {
            reports.map { "\($0)".prefix { $0 != "(" } }.joined(separator: ", ")
        }

        /// Whether one of them knows the peer's code.
        var tellsCode: Bool {
            reports.contains { report in
                switch report {
                case .peerClosed: true
                case .completed(let completion): completion.closeCode != nil
                default: false
                }
            }
        }

        /// Every order of every selection of these reports.
        static func orders(of reports: [MachineRun.Input]) -> [Death] {
            reports.indices.flatMap { index -> [Death] in
                var others = reports
                let first = others.remove(at: index)
                let rests = [[]] + orders(of: others).map(\.reports)
                return rests.map { Death(reports: [first] + $0) }
            }
        }
    }

    static let afterClose = Death.orders(of: [
        .peerClosed(code: 1_001, reasonLength: 3), .receiveFailed(.notConnected),
        .sendFailed(.reset), .pingFailed(.notConnected),
        .completed(SessionCompletion(failure: .reset, closeCode: 1_001)),
    ])

    @Test func `is tried in all 325 orders`() {
        #expect(Self.afterClose.count == 5 + 20 + 60 + 120 + 120)
    }

    // A3, F4, W24
    @Test(arguments: afterClose)
    func `is told once, with the peer's code, in whichever order it is reported`(death: Death) {
        var run = MachineRun.open
        run.take(.sendOrdered(.text("a"), number: 1))
        var actions = death.reports.flatMap { run.take($0) }
        actions += run.passDeadline()
        #expect(actions.filter { $0 == .invalidate }.count == 1)
        let causes = actions.compactMap(\.endCause)
        #expect(causes.count == 1)
        #expect(causes.contains(.peerClosed(code: 1_001)) == death.tellsCode)
        #expect((run.machine.frames.received?.code == 1_001) == death.tellsCode)
    }

    @Test(
        arguments: Death.orders(of: [
            .receiveFailed(.notConnected), .sendFailed(.reset), .pingFailed(.reset),
            .completed(SessionCompletion(failure: .reset)),
            .peerClosed(code: 1_006, reasonLength: 0),
        ]))
    func `without a Close frame is told once, and has no code`(death: Death) {
        var run = MachineRun.open
        var actions = death.reports.flatMap { run.take($0) }
        actions += run.passDeadline() + run.take(.completed(SessionCompletion()))
        #expect(actions.filter { $0 == .invalidate }.count == 1)
        let causes = actions.compactMap(\.endCause)
        #expect(causes.count == 1)
        #expect(causes.allSatisfy { [.reset, .peerVanished].contains($0) })
        #expect(run.machine.frames == CloseFrames())
    }

    @Test func `comes by itself where a failure is all that is reported`() {
        var run = MachineRun.open
        #expect(run.take(.receiveFailed(.notConnected)) == [])
        run.now = WebSocketTaskMachine.grace - 1
        #expect(run.take(.deadlineReached) == [])
        #expect(run.passDeadline() == .end(.peerVanished))
        #expect(run.machine.nextDeadline == nil)
    }

    @Test func `waits for the messages before the peer's Close`() {
        var run = MachineRun.open
        #expect(run.take(.peerClosed(code: 1_000, reasonLength: 0)) == [])
        run.now = 900
        #expect(run.take(.received(.text("a"))) == [.deliver(.text("a")), .receive])
        run.now = WebSocketTaskMachine.grace
        #expect(run.take(.deadlineReached) == [])  // A message came: there may be more.
        #expect(run.take(.receiveFailed(.notConnected)) == .end(.peerClosed(code: 1_000)))
        #expect(
            run.machine.frames
                == CloseFrames(
                    received: CloseFrames.Received(code: 1_000), sentCode: 1_000))
    }

    @Test func `waits behind a held message until the owner takes it`() {
        var run = MachineRun.open
        run.take(.readingSet(.paused), .received(.text("a")))
        run.take(.peerClosed(code: 1_000, reasonLength: 0))
        #expect(run.machine.nextDeadline == nil)
        #expect(run.take(.completed(SessionCompletion())) == [.invalidate])
        #expect(run.take(.readingSet(.flowing)) == [])
        #expect(
            run.take(.readOn) == [
                .deliver(.text("a")), .reportEnd(.peerClosed(code: 1_000), retryAfter: nil),
            ])
    }

    /// The app may await its send before it takes the next message: neither may wait for the other.
    @Test func `does not wait behind a held message where a send waits for the end`() {
        var run = MachineRun.open
        run.take(.sendOrdered(.text("b"), number: 1))
        run.take(.readingSet(.paused), .received(.text("a")))
        var failedFirst = run
        run.take(.peerClosed(code: 1_000, reasonLength: 0))
        var finished = run
        #expect(run.take(.sendFailed(.reset)) == .end(.peerClosed(code: 1_000)))
        #expect(finished.take(.completed(SessionCompletion())) == [.invalidate])
        #expect(
            finished.take(.sendFailed(.reset)) == [
                .reportEnd(.peerClosed(code: 1_000), retryAfter: nil)
            ])
        failedFirst.take(.sendFailed(.reset))
        #expect(
            failedFirst.take(.peerClosed(code: 1_000, reasonLength: 0))
                == .end(.peerClosed(code: 1_000)))
    }

    @Test func `that is orderly and without a code is a FIN`() {
        var run = MachineRun.open
        #expect(run.take(.completed(SessionCompletion())) == .end(.peerVanished))
    }
}

@Suite struct `Our own Close over a WebSocket task` {
    @Test func `is sent once, and the end waits for the task's`() {
        var run = MachineRun.open
        #expect(
            run.take(.closeOrdered(code: 4_001, reason: "bye")) == [
                .close(code: 4_001, reason: "bye")
            ])
        #expect(run.take(.closeOrdered(code: 1_000, reason: "")) == [])
        #expect(run.take(.receiveFailed(.notConnected)) == [])
        #expect(run.take(.peerClosed(code: 4_001, reasonLength: 0)) == [])
        #expect(run.take(.completed(SessionCompletion())) == .end(.closedLocally))
        #expect(
            run.machine.frames
                == CloseFrames(received: CloseFrames.Received(code: 4_001), sentCode: 4_001))
    }

    @Test(arguments: [
        (nil, CloseCause.closedLocally), (SessionFailure.cancelled, .closedLocally),
        (.reset, .reset), (.notConnected, .peerVanished),
    ])
    func `that is never answered ends as the task ends`(
        failure: SessionFailure?, cause: CloseCause
    ) {
        var run = MachineRun.open
        run.take(.closeOrdered(code: 1_000, reason: ""))
        #expect(run.take(.completed(SessionCompletion(failure: failure))) == .end(cause))
    }

    @Test func `takes the messages before the answer, whatever the owner's pace`() {
        var run = MachineRun.open
        run.take(.readingSet(.paused), .received(.text("a")))
        run.take(.closeOrdered(code: 1_000, reason: ""))
        #expect(run.take(.readOn) == [.deliver(.text("a")), .receive])
    }

    @Test(arguments: [0, 999, 1_004, 1_005, 1_006, 1_015, 2_999, 5_000] as [UInt16])
    func `has the code 1000 for one that may not travel`(code: UInt16) {  // F1
        var run = MachineRun.open
        #expect(
            run.take(.closeOrdered(code: code, reason: "")) == [.close(code: 1_000, reason: "")])
        #expect(run.machine.frames.sentCode == 1_000)
    }

    @Test func `leaves a reason out that fits no Close frame`() {
        var run = MachineRun.open
        let long = String(repeating: "é", count: 62)
        #expect(
            run.take(.closeOrdered(code: 1_000, reason: long)) == [
                .close(code: 1_000, reason: "")
            ])
    }
}
