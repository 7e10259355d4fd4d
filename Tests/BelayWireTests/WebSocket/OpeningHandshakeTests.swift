import BelayWire
import Testing

@Suite struct `The opening handshake` {
    @Test func `accepts the key of the RFC's example`() {
        #expect(
            OpeningHandshake.accept(forKey: "dGhlIHNhbXBsZSBub25jZQ==")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func `of our client and our server agrees`() throws {
        let request = OpeningHandshake.Request(
            nonce: [UInt8](0..<16), target: "/ws", host: "localhost",
            subprotocols: ["chat.v2", "chat.v1"],
            extensions: [WebSocketExtension(name: "permessage-deflate")])
        let offer = try OpeningHandshake.Offer(request.head)
        #expect(offer.subprotocols == ["chat.v2", "chat.v1"])
        let agreement = OpeningHandshake.Agreement(
            subprotocol: offer.subprotocol(among: ["chat.v1"]), extensions: offer.extensions)
        #expect(agreement.subprotocol == "chat.v1")
        let seen = try request.check(offer.response(agreement))
        #expect(seen == agreement)
    }
}
