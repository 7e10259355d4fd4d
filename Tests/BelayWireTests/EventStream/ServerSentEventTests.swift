import BelayWire
import Testing

@Suite struct `Server-sent events` {
    @Test func `are told apart by bytes, not by how they look`() {
        let composed = ServerSentEvent(data: "x", id: "\u{E9}")
        let decomposed = ServerSentEvent(data: "x", id: "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
    }

    @Test func `differ when one has an empty id and the other none`() {
        let reset = ServerSentEvent(type: "message", data: "x", lastEventID: "", carriesID: true)
        let without = ServerSentEvent(type: "message", data: "x", lastEventID: "", carriesID: false)
        #expect(reset != without)
    }
}
