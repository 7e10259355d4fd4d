import BelayCore
import Testing

@testable import BelayURLSession

@Suite struct `The head of an event stream over URLSession` {
    @Test(
        arguments: [
            (200, "text/event-stream", nil, nil),
            (200, "Text/Event-Stream; charset=utf-8", "identity", nil),
            (200, "text/event-stream ;charset=x", nil, nil),
            (200, "text/event-streams", nil, .wrongContentType),
            (200, "text/html", nil, .wrongContentType),
            (200, nil, nil, .wrongContentType),
            (200, "text/event-stream", "gzip", .wrongContentType),
            (204, nil, nil, .toldToStop),
            (301, "text/event-stream", nil, .handshakeRefused(status: 301)),
            (503, nil, nil, .handshakeRefused(status: 503)),
        ] as [(UInt16, String?, String?, CloseCause?)])
    func `opens, or says why not`(
        status: UInt16, type: String?, encoding: String?, refusal: CloseCause?
    ) {
        let head = EventStreamHead(
            status: status, contentType: type, contentEncoding: encoding, retryAfter: nil)
        #expect(head.refusal == refusal)
    }

    @Test(
        arguments: [
            ("gzip", nil), ("X-Gzip", nil), ("identity", nil), (nil, nil),
            ("br", .wrongContentType),
            ("gzip, gzip", .wrongContentType),
        ] as [(String?, CloseCause?)])
    func `opens compressed as it was asked for, and no other way`(
        encoding: String?, refusal: CloseCause?
    ) {
        let head = EventStreamHead(
            status: 200, contentType: "text/event-stream", contentEncoding: encoding,
            acceptsCompression: true)
        #expect(head.refusal == refusal)
    }

    @Test(arguments: [200, 204, 410] as [UInt16])
    func `says first that the cursor is too old, whatever its status`(status: UInt16) {
        let head = EventStreamHead(
            status: status, contentType: "text/event-stream", isCursorTooOld: true)
        #expect(head.refusal == .cursorTooOld)
    }
}
