import BelayTransport
import Foundation
import Testing

@testable import BelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct `A request of a session` {
    private func request(
        fields: [RequestField] = [], own: [(name: String, value: String)] = []
    ) throws -> URLRequest {
        let url = try ConnectionURL("https://[::1]:8443/feed?x=1")
        return try URLRequest(to: url, fields: fields, own: own)
    }

    @Test func `goes to the address as it was written, without a time limit of its own`() throws {
        let request = try request()
        #expect(request.url?.absoluteString == "https://[::1]:8443/feed?x=1")
        #expect(request.timeoutInterval == .endless)
    }

    @Test func `has the application's fields, but for what the transport writes`() throws {
        let request = try request(
            fields: [
                RequestField("Authorization", "Bearer x"), RequestField("accept", "text/html"),
                RequestField("Host", "elsewhere"),
            ],
            own: [("Accept", "text/event-stream")])
        #expect(
            request.allHTTPHeaderFields
                == ["Authorization": "Bearer x", "Accept": "text/event-stream"])
    }

    @Test func `is made by a session that keeps nothing and has no time limit`() {
        let configuration = URLSessionConfiguration.belay
        #expect(configuration.timeoutIntervalForRequest == .endless)
        #expect(configuration.timeoutIntervalForResource == .endless)
        #expect(configuration.urlCache == nil)
        #expect(configuration.urlCredentialStorage == nil)
        #expect(!configuration.httpShouldSetCookies)
    }
}
