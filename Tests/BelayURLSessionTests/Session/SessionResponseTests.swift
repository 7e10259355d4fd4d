import BelayCore
import Foundation
import Testing

@testable import BelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct `A response of a session` {
    @Test(
        arguments: [
            (nil, nil, nil), ("120", nil, 120_000), ("0", nil, 0),
            ("99999999999999999999", nil, Milliseconds.max),
            ("-1", nil, nil), ("soon", nil, nil), ("", nil, nil),
            ("Sun, 06 Nov 1994 08:49:39 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 2_000),
            ("Sun, 06 Nov 1994 08:49:30 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:39 GMT", nil, nil),
        ] as [(String?, String?, Milliseconds?)])
    func `says for how long to stay away`(
        retryAfter: String?, date: String?, delay: Milliseconds?
    ) throws {
        var fields: [String: String] = [:]
        fields["Retry-After"] = retryAfter
        fields["Date"] = date
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: fields))
        #expect(response.status == 503)
        #expect(response.retryDelay == delay)
    }
}
