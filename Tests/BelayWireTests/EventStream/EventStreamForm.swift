import BelayWire
import Testing

/// The ways to take elements from the parser; every test of streams holds for each.
enum EventStreamForm: CaseIterable, Sendable {
    case collected
    case given
    case borrowed

    func append(
        _ chunk: [UInt8], to parser: inout EventStreamParser,
        into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        switch self {
        case .collected:
            try parser.append(chunk, into: &elements)
        case .given:
            try parser.append(chunk.span.bytes, giving: { elements.append($0) })
        case .borrowed:
            try parser.append(chunk.span.bytes) { elements.append(EventStreamElement(copy: $0)) }
        }
    }
}

extension ServerSentEvent {
    /// One without an id of its own, behind one with this id.
    static func later(data: String, behind id: String) -> ServerSentEvent {
        ServerSentEvent(type: "message", data: data, lastEventID: id, carriesID: false)
    }
}

extension EventStreamElement {
    /// An element of its own, by the standard library's judgement of UTF-8.
    init(copy element: borrowing BorrowedEventStreamElement) {
        switch element {
        case .event(let type, let data, let lastEventID, let carriesID):
            let type = String(copy: type)
            let id = String(copy: lastEventID)
            self = .event(
                ServerSentEvent(
                    type: type.isEmpty ? "message" : type, data: String(copy: data),
                    lastEventID: id, carriesID: carriesID))
        case .lastEventID(let id):
            self = .lastEventID(String(copy: id))
        case .reconnectionTime(let time):
            self = .reconnectionTime(time)
        case .comment(let text):
            self = .comment(String(copy: text))
        }
    }
}

extension String {
    fileprivate init(copy bytes: RawSpan) {
        self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
