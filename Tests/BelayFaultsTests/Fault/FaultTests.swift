import BelayCore
import Testing

@testable import BelayFaults

@Suite struct `A fault as a pure decision` {
    private static let pong: [UInt8] = [0x8A, 1, 0x31]
    private static let head = Array("HTTP/1.1 200 OK\r\nContent-Type: a\r\n\r\n".utf8)
    private static let handshake = Array(
        "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: right\r\n\r\n".utf8)

    struct Case: CustomTestStringConvertible {
        let fault: Fault
        var offer: [UInt8] = pong
        let decision: Decision
        var testDescription: String { "\(fault)" }

        init(_ fault: Fault, on offer: [UInt8] = pong, _ steps: Step...) {
            self.fault = fault
            self.offer = offer
            decision = .play(steps)
        }

        init(_ fault: Fault, on offer: [UInt8], alters text: String) {
            self.fault = fault
            self.offer = offer
            decision = .alter(Array(text.utf8))
        }
    }

    // E9, W20
    @Test(arguments: [
        Case(.tcp(.silence)),
        Case(.tcp(.fin), .finish),
        Case(.tcp(.halfClose), .halfClose),
        Case(.tcp(.reset), .reset),
        Case(.tcp(.stall), .stall),
        Case(.tcp(.half()), .send([0x8A]), .finish),
        Case(.tcp(.half(then: .reset)), .send([0x8A]), .reset),
        Case(.tcp(.wait(milliseconds: 9)), .wait(9), .proceed),
        Case(.pong(.late(milliseconds: 70)), .proceedLater(70)),
        Case(.pong(.missing)),
        Case(.pong(.duplicate), .proceed, .proceed),
        Case(.pong(.wrongPayload()), .send([0x8A, 1, 0xCE])),
        Case(.pong(.wrongPayload()), on: [0x8A, 0], .send([0x8A, 1, 0xFF])),
        Case(.pong(.wrongPayload("2")), .send([0x8A, 1, 0x32])),
        Case(.pong(.unsolicited(payload: "x")), .proceed, .send([0x8A, 1, 0x78])),
        Case(
            .webSocket(.closeFrame(code: 1_006, reason: "r")),
            .send([0x88, 3, 0x03, 0xEE, 0x72], note: .closeSent(code: 1_006))),
        Case(
            .webSocket(.message("hi")), .proceed,
            .send([0x81, 2, 0x68, 0x69], note: .messageSent(byteCount: 2))),
        Case(.webSocket(.ping), .proceed, .send([0x89, 0])),
        Case(.webSocket(.maskedFrame), .send([0x8A, 0x81, 1, 2, 3, 4, 0x30])),
        Case(.webSocket(.maskedFrame), on: [], .send([0x81, 0x80, 1, 2, 3, 4])),
        Case(.webSocket(.maskedFrame), on: [0xFF], .send([0x81, 0x80, 1, 2, 3, 4])),
        Case(.webSocket(.badOpcode(11)), .send([0x8B, 1, 0x31])),
        Case(.webSocket(.badOpcode()), on: [], .send([0x83, 0])),
        Case(.webSocket(.reservedBit), .send([0xAA, 1, 0x31])),
        Case(.webSocket(.badUTF8), .send([0x81, 2, 0xC0, 0x80])),
        Case(
            .webSocket(.wrongAccept), on: handshake,
            alters: """
                HTTP/1.1 101 Switching Protocols\r
                Sec-WebSocket-Accept: Vrguz3TUn9ngPf9JpcYLpRwPtcc=\r
                \r

                """),
        Case(
            .http(.status(503, retryAfter: 2)), on: head,
            .send(
                Array(
                    """
                    HTTP/1.1 503 Service Unavailable\r
                    Retry-After: 2\r
                    Content-Length: 0\r
                    Connection: close\r
                    \r

                    """.utf8), note: .response(status: 503)), .finish),
        Case(
            .http(.status(204)), on: head,
            .send(
                Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8),
                note: .response(status: 204)), .finish),
        Case(
            .http(.contentType("b")), on: head,
            alters: "HTTP/1.1 200 OK\r\nContent-Type: b\r\n\r\n"),
        Case(
            .http(.field(name: "X", value: "y")), on: head,
            alters: "HTTP/1.1 200 OK\r\nContent-Type: a\r\nX: y\r\n\r\n"),
        Case(
            .http(.longHead(bytes: 3)), on: head,
            alters: "HTTP/1.1 200 OK\r\nContent-Type: a\r\nX-Belay-Filler: xxx\r\n\r\n"),
        Case(.http(.contentType("b")), on: Array("no head".utf8), alters: "no head"),
        Case(.eventStream(.duplicateEvent), .proceed, .proceed),
        Case(.eventStream(.lateEvent(milliseconds: 8)), .proceedLater(8)),
        Case(.eventStream(.replayAfter(id: 1)), .startAfter(1), .proceed),
        Case(.eventStream(.resetID), .send(Array("id:\n\n".utf8)), .proceed),
        Case(
            .eventStream(.retry(milliseconds: 70)), .send(Array("retry: 70\n\n".utf8)), .proceed),
        Case(.eventStream(.comment("hi")), .send(Array(": hi\n\n".utf8)), .proceed),
        Case(
            .eventStream(.commentsOnly(milliseconds: 5)),
            .repeated(every: 5, Array(": belay\n\n".utf8))),
    ])
    func `takes these steps`(_ sample: Case) {
        let occasion = Occasion(
            connection: 1, moment: Moment(.ping, 1), now: 0, offer: sample.offer)
        var generator = SeededGenerator(seed: 1)
        #expect(sample.fault.decision(for: occasion, using: &generator) == sample.decision)
        // Only what is slowed down or cut up takes chance.
        #expect(generator == SeededGenerator(seed: 1))
    }

    struct Slowing: CustomTestStringConvertible {
        let fault: ConnectionFault
        let pieceBytes: ClosedRange<Int>?
        var interval: Milliseconds = 0
        var latency: Milliseconds = 0
        var jitter: Milliseconds = 0
        var testDescription: String { "\(fault)" }
    }

    @Test(arguments: [
        Slowing(
            fault: .latency(milliseconds: 5, jitter: 2), pieceBytes: nil, latency: 5, jitter: 2),
        Slowing(fault: .drip(milliseconds: 7), pieceBytes: 1...1, interval: 7),
        Slowing(fault: .drip(milliseconds: 7, bytes: 3), pieceBytes: 3...3, interval: 7),
        Slowing(fault: .slice(bytes: 9), pieceBytes: 1...9, interval: 1),
    ])
    func `slows what follows, with chance of its own`(_ slowing: Slowing) {
        let occasion = Occasion(connection: 1, moment: Moment(.opened), now: 0, offer: [])
        var generator = SeededGenerator(seed: 1)
        let decision = slowing.fault.decision(for: occasion, using: &generator)
        var drawn = SeededGenerator(seed: 1)
        let pace = Pace(
            pieceBytes: slowing.pieceBytes, interval: slowing.interval, latency: slowing.latency,
            jitter: slowing.jitter, generator: SeededGenerator(seed: drawn.next()))
        #expect(decision == .play([.pace(pace), .proceed]))
        #expect(generator == drawn)
    }
}
