import BelayCore
import BelayTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An event stream that is cut` {
    /// How the body says where it ends, and the cause where a FIN comes before.
    struct Framing: CustomTestStringConvertible, Sendable {
        let name: String
        let cause: CloseCause
        var testDescription: String { name }

        static let all = [
            Framing(name: "length", cause: .truncated),
            Framing(name: "chunk", cause: .truncated),
            Framing(name: "chunks", cause: .truncated),
            // By nothing but the close: a cut looks like its end, whoever looks.
            Framing(name: "close", cause: .peerFinished),
        ]
    }

    // E9
    @Test(arguments: EventStreamKind.overHTTP, Framing.all)
    func `delivers what came, and says that it was cut where its framing tells`(
        kind: EventStreamKind, framing: Framing
    ) async throws {
        let answer = try await kind.ask("/cut/\(framing.name)")
        let body = answer.events.flatMap { event -> [UInt8] in
            if case .received(let bytes) = event { bytes } else { [] }
        }
        #expect(answer.events.first == .opened(subprotocol: nil))
        #expect(body == Array("data: found\n\n".utf8))
        #expect(answer.events.last == .ended(framing.cause))
    }
}
