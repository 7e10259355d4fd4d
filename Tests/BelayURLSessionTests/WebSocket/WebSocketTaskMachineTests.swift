import BelayCore
import BelayTransport
import Testing

@testable import BelayURLSession

@Suite struct `A WebSocket task's reports` {
    @Test func `open the connection once, and begin to read`() {
        var run = MachineRun(subprotocols: ["chat"])
        #expect(
            run.take(.opened(subprotocol: "chat")) == [
                .reportOpened(subprotocol: "chat"), .receive,
            ])
        #expect(run.take(.opened(subprotocol: "chat")) == [])
    }

    @Test func `fail the connection over a subprotocol that was not offered`() {
        var run = MachineRun(subprotocols: ["chat"])
        #expect(
            run.take(.opened(subprotocol: "talk"))
                == [.close(code: 1_002, reason: "")] + .end(.peerViolatedProtocol(code: 1_002)))
        #expect(run.machine.frames.sentCode == 1_002)
    }

    @Test func `keep the status and the wait of a refused handshake`() {
        var run = MachineRun()
        let completion = SessionCompletion(
            failure: .malformedAnswer, status: 503, retryAfter: 2_000)
        #expect(
            run.take(.completed(completion)) == [
                .invalidate, .reportEnd(.handshakeRefused(status: 503), retryAfter: 2_000),
            ])
    }

    @Test(arguments: [
        (SessionFailure.refused, CloseCause.connectFailed(.refused)),
        (.nameNotResolved, .connectFailed(.nameNotResolved)),
        (.tlsFailed, .tlsFailed),
        (.reset, .reset),
    ])
    func `end an attempt that never opened, and its session`(
        failure: SessionFailure, cause: CloseCause
    ) {  // C11
        var run = MachineRun()
        #expect(run.take(.completed(SessionCompletion(failure: failure))) == .end(cause))
        #expect(run.take(.completed(SessionCompletion()), .abortOrdered) == [])
    }

    @Test func `an attempt that is given up is invalidated once, and says nothing`() {  // C11
        var run = MachineRun()
        #expect(run.take(.abortOrdered) == [.invalidate])
        #expect(run.take(.abortOrdered, .completed(SessionCompletion(failure: .cancelled))) == [])
    }

    // A3, W7: whatever a task says after its end.
    @Test(
        arguments: [
            .opened(subprotocol: nil), .received(.text("a")), .receiveFailed(.reset), .sent(1),
            .sendFailed(.reset), .pongReceived(1), .pingFailed(.reset), .pingStarted(1),
            .peerClosed(code: 1_000, reasonLength: 0), .completed(SessionCompletion()), .readOn,
            .sendOrdered(.text("b"), number: 2), .pingOrdered(2),
            .closeOrdered(code: 1_000, reason: ""), .deadlineReached, .abortOrdered,
        ] as [MachineRun.Input])
    func `change nothing after the end`(late: MachineRun.Input) {
        var run = MachineRun.open
        run.take(.pingOrdered(1), .sendOrdered(.text("a"), number: 1), .abortOrdered)
        let ended = run
        #expect(run.take(late) == [])
        #expect(run == ended)
    }
}

@Suite struct `Messages of a WebSocket task` {
    // W21
    @Test func `are taken one at a time, each when the owner took the one before`() {
        var run = MachineRun.open
        #expect(run.take(.received(.text("a"))) == [.deliver(.text("a")), .receive])
        #expect(run.take(.received(.text("b"))) == [.deliver(.text("b")), .receive])
    }

    @Test func `are not asked for while the owner lags, and are again when it flows`() {
        var run = MachineRun.open
        // One was under way: it is held.
        #expect(run.take(.readingSet(.paused), .received(.text("a"))) == [])
        #expect(run.take(.readOn) == [])
        #expect(run.take(.readingSet(.flowing)) == [])
        #expect(run.take(.readOn) == [.deliver(.text("a")), .receive])
        #expect(run.take(.readOn) == [])  // One is under way already.
    }

    // C10: a limit of ours is no Close of the peer's.
    @Test(arguments: [
        MachineRun.Input.received(.binary([UInt8](repeating: 0, count: 1_001))),
        .receiveFailed(.messageTooLong),
    ])
    func `above the limit end the connection with a cause of their own`(input: MachineRun.Input) {
        var run = MachineRun.open
        #expect(run.take(input) == [.close(code: 1_009, reason: "")] + .end(.limitExceeded))
        #expect(run.machine.frames == CloseFrames(sentCode: 1_009))
    }

    @Test func `as long as the limit are delivered`() {
        var run = MachineRun.open
        let message = WebSocketMessage.binary([UInt8](repeating: 0, count: 1_000))
        #expect(run.take(.received(message)) == [.deliver(message), .receive])
    }

    @Test func `are reported as sent in order, whatever the order of the completions`() {
        var run = MachineRun.open
        for number: UInt64 in 1...3 { run.take(.sendOrdered(.text("a"), number: number)) }
        #expect(run.take(.sent(2)) == [])
        #expect(run.take(.sent(1)) == [.reportSent(1), .reportSent(2)])
        #expect(run.take(.sent(1), .sent(2)) == [])
        #expect(run.take(.sent(3)) == [.reportSent(3)])
    }
}

@Suite struct `Pings of a WebSocket task` {
    // A13, W19
    @Test func `are answered once, though the completion is called twice`() {
        var run = MachineRun.open
        #expect(run.take(.pingOrdered(1)) == [.ping(1), .reportPingHandedOver(1)])
        #expect(run.take(.pongReceived(1)) == [.reportPong(1)])
        #expect(run.take(.pongReceived(1)) == [])
    }

    // W19
    @Test func `that are never answered hold back those after them, and end nothing`() {
        var run = MachineRun.open
        run.take(.pingOrdered(1))
        #expect(run.take(.pingOrdered(2)) == [])
        #expect(run.machine.nextDeadline == nil)
        #expect(
            run.take(.pongReceived(1)) == [.reportPong(1), .ping(2), .reportPingHandedOver(2)])
    }

    @Test func `are not answered by the completion of an older one`() {
        var run = MachineRun.open
        run.take(.pingOrdered(1), .pongReceived(1), .pingOrdered(2))
        #expect(run.take(.pongReceived(1)) == [])
        #expect(run.take(.pongReceived(2)) == [.reportPong(2)])
    }

    // W17
    @Test func `that fail are no pong, and end the connection`() {
        var run = MachineRun.open
        run.take(.pingOrdered(1))
        #expect(run.take(.pingFailed(.notConnected), .pongReceived(2)) == [])
        #expect(run.passDeadline() == .end(.peerVanished))
    }

    // B5
    @Test func `leave when the messages before them were given to the system`() {
        var run = MachineRun.open
        run.take(.sendOrdered(.text("long"), number: 1))
        #expect(run.take(.pingOrdered(1)) == [])
        run.take(.sendOrdered(.text("later"), number: 2))
        #expect(run.take(.sent(1)) == [.reportSent(1), .ping(1), .reportPingHandedOver(1)])
    }

    @Test func `may be answered while the connection closes`() {
        var run = MachineRun.open
        run.take(.pingOrdered(1), .closeOrdered(code: 1_000, reason: ""))
        #expect(run.take(.pongReceived(1)) == [.reportPong(1)])
    }
}
