import Belay
import BelayCore

/// What a harness is told of a stream.
///
/// Source: sse-contract-tests, `docs/service_spec.md`, "Callback endpoint".
enum ContractMessage: Hashable, Sendable {
    case event(type: String, data: String, id: String)
    case comment(String)
    case error(String)

    init(_ event: ServerSentEvent) {
        self = .event(type: event.type, data: event.data, id: event.lastEventID)
    }

    /// `nil` for an end that is no error: the harness ordered it, or the server said it is over.
    init?(_ aside: EventStreamAside) {
        switch aside {
        case .comment(let text, _): self = .comment(text)
        case .closed(let end):
            switch end.cause {
            case .closedLocally, .replaced, .toldToStop: return nil
            default: self = .error(Self.words(for: end.cause))
            }
        }
    }

    private static func words(for cause: CloseCause) -> String {
        cause.code.map { "\(cause.name) \($0)" } ?? "\(cause.name)"
    }
}

extension ContractMessage: Encodable {
    private enum Member: String, CodingKey {
        case kind, event, comment, error
    }

    private enum EventMember: String, CodingKey {
        case type, data, id
    }

    func encode(to encoder: any Encoder) throws {
        var message = encoder.container(keyedBy: Member.self)
        switch self {
        case .event(let type, let data, let id):
            try message.encode("event", forKey: .kind)
            var event = message.nestedContainer(keyedBy: EventMember.self, forKey: .event)
            try event.encode(type, forKey: .type)
            try event.encode(data, forKey: .data)
            try event.encode(id, forKey: .id)
        case .comment(let text):
            try message.encode("comment", forKey: .kind)
            try message.encode(text, forKey: .comment)
        case .error(let text):
            try message.encode("error", forKey: .kind)
            // The protocol's text says `comment`, the harness reads `error`.
            try message.encode(text, forKey: .comment)
            try message.encode(text, forKey: .error)
        }
    }
}
