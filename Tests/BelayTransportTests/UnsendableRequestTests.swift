import BelayCore
import BelayTransport
import Testing

/// What every transport refuses before it sends anything.
@Suite struct `A request that nobody could send` {
    @Test(
        arguments: [
            ("http://a.example/", "41", nil), ("https://a.example/", nil, nil),
            ("http://a.example/", "", nil), ("http://a.example/", "ü\t\u{80}", nil),
            ("ws://a.example/", nil, .url), ("wss://a.example/", "41", .url),
            ("http://a.example/", "a\r\nX-Evil: 1", .lastEventID),
            ("http://a.example/", "a\nb", .lastEventID),
            ("http://a.example/", "\r", .lastEventID),
            ("http://a.example/", "a\0", .lastEventID),
            ("http://a.example/", "\u{1F}", .lastEventID),
            ("http://a.example/", "\u{7F}", .lastEventID),
        ] as [(String, String?, RequestPart?)])
    func `for an event stream is refused by its part`(
        _ url: String, _ id: String?, _ part: RequestPart?
    ) throws {
        let request = EventStreamRequest(url: try ConnectionURL(url), lastEventID: id)
        #expect(refusal { () throws(UnsendableRequest) in try request.check() } == part)
    }

    @Test(
        arguments: [
            ("ws://a.example/", [], nil), ("wss://a.example/", ["chat", "Chat", "v2.chat"], nil),
            ("http://a.example/", [], .url), ("https://a.example/", ["chat"], .url),
            ("ws://a.example/", [""], .subprotocol), ("ws://a.example/", ["a b"], .subprotocol),
            ("ws://a.example/", ["a,b"], .subprotocol),
            ("ws://a.example/", ["chat", "a\r\nX-Evil: 1"], .subprotocol),
            ("ws://a.example/", ["a\0"], .subprotocol), ("ws://a.example/", ["ü"], .subprotocol),
            ("ws://a.example/", ["chat", "v2", "chat"], .subprotocol),
        ] as [(String, [String], RequestPart?)])
    func `for a WebSocket is refused by its part`(
        _ url: String, _ subprotocols: [String], _ part: RequestPart?
    ) throws {
        let request = WebSocketRequest(url: try ConnectionURL(url), subprotocols: subprotocols)
        #expect(refusal { () throws(UnsendableRequest) in try request.check() } == part)
    }

    private func refusal(_ check: () throws(UnsendableRequest) -> Void) -> RequestPart? {
        do throws(UnsendableRequest) {
            try check()
            return nil
        } catch {
            return error.part
        }
    }
}
