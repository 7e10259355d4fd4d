import BelayFaults
import BelayWire
import Foundation
import Testing

/// What a service says of a stream.
enum Told: Hashable, Sendable {
    case event(type: String, data: String, id: String)
    case comment(String)
    case error(String)

    static func event(_ data: String, type: String = "message", id: String = "") -> Told {
        .event(type: type, data: data, id: id)
    }
}

/// Where a service's messages come in: numbered from 1, in order.
struct CallbackServer: Sendable {
    let messages: AsyncStream<Told>
    private let endpoint: Endpoint

    /// `status` answers each of them.
    init(answering status: Int = 202) {
        let (messages, sink) = AsyncStream.makeStream(of: Told.self)
        let reception = Reception(sink)
        self.messages = messages
        endpoint = Endpoint(
            respondent: Respondent(bodyLimit: 64 << 20) { request in
                await reception.take(request)
                return PlainAnswer(status: status)
            })
    }

    func start() async throws -> String {
        "http://127.0.0.1:\(try await endpoint.start())/told"
    }

    func stop() async { await endpoint.stop() }

    private actor Reception {
        private let sink: AsyncStream<Told>.Continuation
        private var count = 0

        init(_ sink: AsyncStream<Told>.Continuation) {
            self.sink = sink
        }

        func take(_ request: PlainRequest) {
            count += 1
            #expect(request.method == "POST")
            #expect(request.path == "/told/\(count)")
            #expect(request.fields["Content-Type"] == "application/json")
            do {
                sink.yield(try JSONDecoder().decode(Message.self, from: Data(request.body)).told())
            } catch {
                Issue.record(error)
            }
        }
    }

    /// A message as it travels.
    private struct Message: Decodable {
        struct Event: Decodable {
            let type: String
            let data: String
            let id: String
        }
        let kind: String
        let event: Event?
        let comment: String?
        let error: String?

        func told() throws -> Told {
            switch kind {
            case "event":
                let event = try #require(event)
                return .event(type: event.type, data: event.data, id: event.id)
            case "comment": return .comment(try #require(comment))
            default:
                #expect(kind == "error" && comment == error)
                return .error(try #require(error))
            }
        }
    }
}
