#if os(Linux)
    import BelayCore
    import BelayTransport
    import BelayWire
    import Testing

    @testable import BelayTCP

    @Suite struct `The response to an event stream's request` {
        struct Case: CustomTestStringConvertible, Sendable {
            var status = 200
            var fields: [String] = []
            var version = EventStreamResponse.Version.http1
            var accepts = false
            let means: EventStreamResponse
            var testDescription: String { "\(status) \(fields)\(accepts ? " gzip" : "")" }

            static let type = "Content-Type: text/event-stream"
            static let open = EventStreamResponse.opens(
                .http1(.untilClose), isCompressed: false)
            static let packed = EventStreamResponse.opens(
                .http1(.untilClose), isCompressed: true)
            static let violation = EventStreamResponse.ends(.peerViolatedProtocol(code: 1002))

            static let all: [Case] = [
                .init(fields: [type], means: open),
                .init(fields: ["Content-Type: Text/Event-Stream ;charset=x"], means: open),
                .init(fields: [type, "Content-Encoding: Identity"], means: open),
                .init(fields: [type, "Content-Encoding: gzip"], accepts: true, means: packed),
                .init(fields: [type, "Content-Encoding: X-GZip"], accepts: true, means: packed),
                .init(
                    fields: [type, "Content-Encoding: gzip"], means: .ends(.wrongContentType)),
                .init(
                    fields: [type, "Content-Encoding: br"], accepts: true,
                    means: .ends(.wrongContentType)),
                .init(
                    fields: [type, "Content-Encoding: gzip, gzip"], accepts: true,
                    means: .ends(.wrongContentType)),
                .init(fields: ["Content-Type: text/html"], means: .ends(.wrongContentType)),
                .init(
                    fields: ["Content-Type: text/event-streams"], means: .ends(.wrongContentType)),
                .init(means: .ends(.wrongContentType)),
                .init(
                    fields: [type, "Content-Length: 3"],
                    means: .opens(.http1(.length(3)), isCompressed: false)),
                .init(
                    fields: [type, "Transfer-Encoding: chunked"],
                    means: .opens(.http1(.chunked), isCompressed: false)),
                .init(
                    fields: [type, "Transfer-Encoding: chunked", "Content-Length: 3"],
                    means: violation),
                .init(fields: [type, "Content-Length: x"], means: violation),
                .init(
                    fields: [type, "Content-Length: 3"], version: .http2,
                    means: .opens(.http2, isCompressed: false)),
                .init(status: 204, means: .ends(.toldToStop)),
                .init(status: 404, means: .ends(.handshakeRefused(status: 404))),
                .init(
                    status: 503, fields: ["Retry-After: 2"],
                    means: .ends(.handshakeRefused(status: 503), retryAfter: 2_000)),
                .init(status: 302, fields: ["Location: /y"], means: .redirects),
                .init(status: 302, means: .ends(.handshakeRefused(status: 302))),
                .init(
                    status: 302, fields: ["Location: /y", "Location: /z"],
                    means: .ends(.handshakeRefused(status: 302))),
                .init(
                    status: 200, fields: [type, "Location: /y"], means: open),
            ]
        }

        @Test(arguments: Case.all)
        func `opens it, leads on or ends the attempt`(_ test: Case) throws {
            var head = HTTPResponseHead(status: test.status, reason: "")
            for field in test.fields {
                let parts = field.split(separator: ": ")
                head.fields.append(String(parts[0]), String(parts[1]))
            }
            var chain = RedirectChain(
                EventStreamRequest(
                    url: try ConnectionURL("http://a/x"), acceptsCompression: test.accepts))
            let response = EventStreamResponse(head, over: test.version, &chain)
            #expect(response == test.means)
            #expect(chain.request.url.target == (response == .redirects ? "/y" : "/x"))
        }
    }
#endif
