import BelayWire
import Testing

@Suite struct `The wait that a server asks for` {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("00007", 7), ("99999999999999999999", .max), ("", nil),
            ("-1", nil), ("+1", nil), ("1.5", nil), ("soon", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:51:37 GMT", 120),
            ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400), ("Sat, 05 Nov 1994 08:49:37 GMT", 0),
            ("Wed, 01 Mar 1995 08:49:37 GMT", 115 * 86_400),
            ("Fri, 01 Mar 1996 08:49:37 GMT", 481 * 86_400),
            ("Sunday, 06-Nov-94 08:51:37 GMT", nil), ("Sun Nov  6 08:51:37 1994", nil),
            ("Sun, 06 Nov 1994 08:51:37 UTC", nil), ("Sun, 06 Nov 1994 24:51:37 GMT", nil),
            ("Sun, 06 Xyz 1994 08:51:37 GMT", nil), ("Sun, 00 Nov 1994 08:51:37 GMT", nil),
        ] as [(String, Int64?)])
    func `is counted in seconds, from the server's own clock`(_ value: String, _ wait: Int64?) {
        let head = HTTPResponseHead(
            status: 503, reason: "Busy", fields: ["Date": Self.date, "Retry-After": value])
        #expect(head.retryAfter == wait)
    }

    @Test func `is not known where the server says no time, or not its own`() {
        #expect(HTTPResponseHead(status: 503, reason: "").retryAfter == nil)
        let dated: HTTPFields = ["Retry-After": Self.date]
        #expect(HTTPResponseHead(status: 503, reason: "", fields: dated).retryAfter == nil)
    }
}
