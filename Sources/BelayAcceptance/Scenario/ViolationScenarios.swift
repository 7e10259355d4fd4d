import BelayCore
import BelayFaults

extension ScenarioCatalog {
    /// Peers that break RFC 6455: each is told its code, has its one cause, and is come back to.
    static let violations: [Scenario] = [
        violation("bad-opcode", "A reserved opcode", .webSocket(.badOpcode()), code: 1002),
        violation("reserved-bit", "A reserved bit", .webSocket(.reservedBit), code: 1002),
        violation(
            "masked-frame", "A masked frame of a server", .webSocket(.maskedFrame), code: 1002),
        violation("bad-utf8", "A text that is not UTF-8", .webSocket(.badUTF8), code: 1007),
        Scenario(
            "half-frame", "Half a frame and a FIN are no message, and the peer has vanished",
            proves: ["W24"],
            plan: [FaultRule(on: 1, at: .message(1), .tcp(.half(then: .fin)))],
            client: .webSocket(),
            steps: [
                .read, .until(.opened), .send("half of this"), .until(.opened, times: 2), .close,
            ],
            expect: [.causes([.peerVanished, .closedLocally]), .messages(.exactly(0))]),
        Scenario(
            "wrong-accept", "A 101 that answers another key opens nothing",
            proves: ["W20", "W24"],
            plan: [FaultRule(on: 1, at: .handshake, .webSocket(.wrongAccept))],
            client: .webSocket(),
            steps: [.read, .until(.opened), .close],
            expect: [
                .causes([.peerViolatedProtocol(code: 1002), .closedLocally]),
                .opened(.exactly(1)),
            ]),
    ]

    private static func violation(
        _ id: String, _ subject: String, _ fault: Fault, code: UInt16
    ) -> Scenario {
        Scenario(
            id, "\(subject) ends its connection with \(code), and nothing of it is read",
            proves: ["W24"],
            plan: [FaultRule(on: 1, at: .message(1), fault)],
            client: .webSocket(),
            steps: [.read, .until(.opened), .send("echo"), .until(.opened, times: 2), .close],
            expect: [
                .causes([.peerViolatedProtocol(code: code), .closedLocally]),
                .messages(.exactly(0)),
                .endpoint(.closeReceived(code: code), .exactly(1)),
            ])
    }
}
