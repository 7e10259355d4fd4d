import BelayWire
import Testing

/// The two ways to take elements from the parser; every test of streams holds for both.
enum EventStreamForm: CaseIterable, Sendable {
    case owned
    case borrowed

    func append(
        _ chunk: [UInt8], to parser: inout EventStreamParser,
        into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        switch self {
        case .owned:
            try parser.append(chunk, into: &elements)
        case .borrowed:
            try parser.append(chunk.span.bytes) { elements.append(EventStreamElement(copy: $0)) }
        }
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
                    lastEventID: id, id: carriesID ? id : nil))
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
