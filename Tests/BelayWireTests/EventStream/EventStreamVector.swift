import BelayWire
import Foundation
import Testing

/// One entry of Vectors/vectors.json; Vectors/FORMAT.md says what the fields mean.
struct EventStreamVector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let chunks: [Chunk]
    let expect: [Expectation]
    let retry: Retry?
    let lastEventIdAfter: String
    let initialLastEventId: String?

    var testDescription: String { name }
    var bytes: [[UInt8]] { chunks.map(\.bytes) }

    /// What the parser must have said of this stream, however it was chunked.
    var outcome: Outcome {
        Outcome(
            events: expect.flatMap(\.events), reconnectionTime: retry?.milliseconds,
            lastEventID: lastEventIdAfter)
    }

    static func load() throws -> [EventStreamVector] {
        let file = try #require(
            Bundle.module.url(
                forResource: "vectors", withExtension: "json", subdirectory: "Vectors"))
        return try JSONDecoder().decode([EventStreamVector].self, from: Data(contentsOf: file))
    }
}

extension EventStreamVector {
    struct Event: Equatable, Decodable, Sendable {
        let type: String
        let data: Text
        let lastEventId: String

        static func == (left: Event, right: Event) -> Bool {
            // Bytes: `String` takes a composed and a decomposed letter for the same.
            Array(left.type.utf8) == Array(right.type.utf8)
                && Array(left.data.text.utf8) == Array(right.data.text.utf8)
                && Array(left.lastEventId.utf8) == Array(right.lastEventId.utf8)
        }
    }

    struct Outcome: Equatable {
        var events: [Event] = []
        var reconnectionTime: UInt64?
        var lastEventID = ""

        init(events: [Event], reconnectionTime: UInt64?, lastEventID: String) {
            self.events = events
            self.reconnectionTime = reconnectionTime
            self.lastEventID = lastEventID
        }

        /// What a parser makes of these chunks and the end of the connection.
        init(of chunks: [[UInt8]], _ form: EventStreamForm, lastEventID seed: String) {
            var parser = EventStreamParser(lastEventID: seed)
            var elements: [EventStreamElement] = []
            for chunk in chunks {
                do {
                    try form.append(chunk, to: &parser, into: &elements)
                } catch {
                    Issue.record(error)
                }
            }
            parser.finish()
            lastEventID = parser.lastEventID
            for element in elements {
                switch element {
                case .event(let event):
                    events.append(
                        Event(
                            type: event.type, data: Text(event.data),
                            lastEventId: event.lastEventID))
                case .reconnectionTime(let time):
                    reconnectionTime = time
                case .comment, .lastEventID:
                    continue  // Vectors do not speak of them.
                }
            }
        }
    }

    struct Chunk: Decodable, Sendable {
        let bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                bytes = Array(text.utf8)
                return
            }
            let fields = try decoder.container(keyedBy: Keys.self)
            if let hex = try fields.decodeIfPresent(String.self, forKey: .hex) {
                bytes = [UInt8](hex: hex)
            } else {
                bytes = try Array(Text(from: decoder).text.utf8)
            }
        }
    }

    /// A text, or `{"text": T, "repeat": N, "then": S}`.
    struct Text: Decodable, Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            let fields = try decoder.container(keyedBy: Keys.self)
            let part = try fields.decode(String.self, forKey: .text)
            let count = try fields.decode(Int.self, forKey: .repeat)
            let rest = try fields.decodeIfPresent(String.self, forKey: .then) ?? ""
            text = String(repeating: part, count: count) + rest
        }
    }

    /// An event, or `{"count": N, "each": event}`.
    struct Expectation: Decodable, Sendable {
        let events: [Event]

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Keys.self)
            if let count = try fields.decodeIfPresent(Int.self, forKey: .count) {
                let event = try fields.decode(Event.self, forKey: .each)
                events = Array(repeating: event, count: count)
            } else {
                events = [try Event(from: decoder)]
            }
        }
    }

    /// A number of milliseconds; a text is one past 64 bits, which we clamp.
    struct Retry: Decodable, Sendable {
        let milliseconds: UInt64

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            milliseconds = (try? value.decode(UInt64.self)) ?? .max
        }
    }

    private enum Keys: String, CodingKey {
        case count, each, hex, `repeat`, text, then
    }
}
