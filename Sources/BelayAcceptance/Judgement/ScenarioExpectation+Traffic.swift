import BelayCore
import BelayFaults

// What went to and fro.
extension ScenarioExpectation {
    func trafficFinding(_ evidence: Evidence) -> Finding {
        switch self {
        case .messages(let count):
            .count("messages read", count, Self.messages(evidence))
        case .sends(let count):
            .count("messages sent", count, Self.sends(evidence))
        case .endpointConnections(let count):
            .count(
                "connections at the endpoint", count,
                evidence.endpoint.count { $0.event == .accepted })
        case .endpoint(let event, let count):
            .count(
                "endpoint: \(event.text)", count, evidence.endpoint.count { $0.event == event })
        case .silenceAfterLeaving(let length):
            Self.silence(length, evidence)
        case .nothingLeftOpen:
            Self.leftOpen(evidence)
        default:
            preconditionFailure("\(self) is judged elsewhere")
        }
    }

    private static func messages(_ evidence: Evidence) -> Int {
        evidence.app.count { record in
            if case .message = record.event { true } else { false }
        }
    }

    private static func sends(_ evidence: Evidence) -> Int {
        evidence.app.count { $0.event == .sendEnded(succeeded: true) }
    }

    /// How long after leaving a request may arrive that was under way, in milliseconds.
    static let underWay: Milliseconds = 100

    private static func silence(_ length: Milliseconds, _ evidence: Evidence) -> Finding {
        let name = "requests after leaving"
        let threshold = "none for \(length) ms"
        guard let left = evidence.leftAt else {
            return Finding(name, threshold: threshold, observed: "never left", isMet: false)
        }
        let late = afterLeaving(evidence)
        guard late.isEmpty else { return .never(name, threshold: threshold, late) }
        let watched = (evidence.client.map(\.at).max() ?? left) - left
        return Finding(
            name, threshold: threshold, observed: "none for \(watched) ms",
            isMet: watched >= length)
    }

    private static func leftOpen(_ evidence: Evidence) -> Finding {
        let name = "connections open after leaving"
        guard let left = evidence.leftAt else {
            return Finding(name, threshold: "none", observed: "never left", isMet: false)
        }
        let open = evidence.endpoint.filter { entry in
            entry.event == .accepted
                && !evidence.endpoint.contains {
                    $0.connection == entry.connection && $0.event == .ended
                        && $0.at <= left + underWay
                }
        }
        return Finding(
            name, threshold: "none",
            observed: Finding.text(open.map { "connection \($0.connection)" }),
            isMet: open.isEmpty)
    }

    /// What the client began after the app had left, or the endpoint saw of it.
    static func afterLeaving(_ evidence: Evidence) -> [String] {
        guard let left = evidence.leftAt else { return [] }
        let attempts = evidence.attempts.filter { $0.at > left }.map {
            "\($0.generation) attempted after \($0.at - left) ms"
        }
        let seen = evidence.endpoint.filter { entry in
            entry.at > left + underWay && (entry.event == .accepted || entry.event.isRequest)
        }
        return attempts
            + seen.map { "connection \($0.connection) \($0.event.name) after \($0.at - left) ms" }
    }
}

extension EndpointEntry.Event {
    var isRequest: Bool {
        if case .request = self { true } else { false }
    }

    /// The event as a threshold names it: the word of evidence, and its number.
    var text: String {
        number.map { "\(name) \($0)" } ?? name
    }

    /// The event in one word, as evidence writes it; numbers stand beside it.
    var name: String {
        switch self {
        case .accepted: "accepted"
        case .overLimit: "overLimit"
        case .request: "request"
        case .bodyReceived: "bodyReceived"
        case .requestRefused: "requestRefused"
        case .response: "response"
        case .eventSent: "eventSent"
        case .pingReceived: "pingReceived"
        case .pongSent: "pongSent"
        case .pongReceived: "pongReceived"
        case .messageReceived: "messageReceived"
        case .messageSent: "messageSent"
        case .closeReceived: "closeReceived"
        case .closeSent: "closeSent"
        case .violation: "violation"
        case .faultStruck: "faultStruck"
        case .finReceived: "finReceived"
        case .resetReceived: "resetReceived"
        case .finSent: "finSent"
        case .resetSent: "resetSent"
        case .ended: "ended"
        }
    }

    /// The event's number: a status, id, ping, byte count or close code.
    var number: Int? {
        switch self {
        case .requestRefused(let status), .response(let status): status
        case .eventSent(let id): id
        case .pingReceived(let number), .pongSent(let number), .pongReceived(let number): number
        case .bodyReceived(let count), .messageReceived(let count), .messageSent(let count): count
        case .closeReceived(let code), .closeSent(let code): code.map(Int.init)
        case .violation(let code): Int(code)
        case .accepted, .overLimit, .request, .faultStruck, .finReceived, .resetReceived,
            .finSent, .resetSent, .ended:
            nil
        }
    }
}
