#if os(Linux)
    import BelayCore
    import BelayTransport
    import Testing

    @testable import BelayTCP

    @Suite(.tags(.realTime), .timeLimit(.minutes(5)))
    struct `An event stream through a proxy` {
        typealias Refusal = `A dial through a proxy`.Refusal

        private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

        /// A stream of a server that only the proxy could find, and both ends of the way there.
        private struct Way {
            let proxy: ScriptedPeer
            let stream: (channel: any TransportChannel, log: EventLog<[UInt8]>)

            init(on loop: EventLoop) throws {
                proxy = try ScriptedPeer(on: loop)
                let field = try RequestField("Proxy-Authorization", "Basic eDp5")
                let settings = DialSettings.patient(
                    proxy: HTTPProxy(host: "127.0.0.1", port: proxy.port, fields: [field]))
                let log = EventLog<[UInt8]>(on: loop)
                let request = EventStreamRequest(
                    url: try ConnectionURL("http://inside.invalid:81/events"), lastEventID: "41")
                let channel = CurlEventStreamTransport(on: loop, dial: settings)
                    .open(request, sink: log.sink)
                stream = (channel, log)
            }

            /// The proxy is asked for this server and opens the tunnel; answers the request in it.
            func tunnel(to server: String) async throws -> (end: RecordedStream, request: String) {
                let end = try await proxy.accept()
                #expect(
                    end.events.text
                        == "CONNECT \(server) HTTP/1.1\r\nHost: \(server)\r\n"
                        + "Proxy-Authorization: Basic eDp5\r\n\r\n")
                let head = end.events.received.count
                end.say("HTTP/1.1 200 Connection established\r\n\r\n")
                try await end.events.wait(until: {
                    end.events.received.count > head && end.events.text.hasSuffix("\r\n\r\n")
                })
                return (end, String(decoding: end.events.received[head...], as: UTF8.self))
            }
        }

        @Test func `asks and is answered in the proxy's tunnel, in plain HTTP too`() async throws {
            try await onLoop { bench in
                let way = try Way(on: bench.loop)
                let (end, request) = try await way.tunnel(to: "inside.invalid:81")
                #expect(request.hasPrefix("GET /events HTTP/1.1\r\nHost: inside.invalid:81\r\n"))
                #expect(request.contains("Last-Event-ID: 41\r\n"))
                // The secret for the proxy is none of the server's.
                #expect(!request.contains("Proxy-Authorization"))
                end.say(Self.ok + "\r\ndata: x\n\n")
                #expect(try await way.stream.log.next() == .opened(subprotocol: nil))
                #expect(try await way.stream.log.next() == .received(Array("data: x\n\n".utf8)))
                end.stream.close()
                #expect(try await way.stream.log.next() == .ended(.peerFinished))
            }
        }

        @Test func `is redirected through a tunnel of its own`() async throws {
            try await onLoop { bench in
                let way = try Way(on: bench.loop)
                let (first, _) = try await way.tunnel(to: "inside.invalid:81")
                first.say(
                    "HTTP/1.1 307 There\r\nLocation: http://other.invalid/feed\r\n"
                        + "Content-Length: 0\r\n\r\n")
                let (second, request) = try await way.tunnel(to: "other.invalid:80")
                #expect(request.hasPrefix("GET /feed HTTP/1.1\r\nHost: other.invalid\r\n"))
                #expect(!request.contains("Last-Event-ID"))
                second.say(Self.ok + "\r\n")
                #expect(try await way.stream.log.next() == .opened(subprotocol: nil))
                way.stream.channel.abort()
            }
        }

        @Test(arguments: Refusal.all)
        func `ends where the proxy refuses`(_ refusal: Refusal) async throws {
            try await onLoop { bench in
                let way = try Way(on: bench.loop)
                let end = try await way.proxy.accept()
                end.say(refusal.answer)
                end.stream.shutdownWriting()
                #expect(
                    try await way.stream.log.next()
                        == .ended(refusal.cause, retryAfter: refusal.retryAfter))
                #expect(bench.loop.curl.count == 0)
            }
        }

        @Test func `blames the server for what the server said, and not the proxy`() async throws {
            try await onLoop { bench in
                let way = try Way(on: bench.loop)
                let (end, _) = try await way.tunnel(to: "inside.invalid:81")
                end.say(
                    "HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n")
                #expect(
                    try await way.stream.log.next()
                        == .ended(.handshakeRefused(status: 503), retryAfter: 2_000))
            }
        }

        // A8
        @Test func `that is cancelled lets go of the proxy and says nothing`() async throws {
            try await onLoop { bench in
                let way = try Way(on: bench.loop)
                let end = try await way.proxy.accept()
                way.stream.channel.abort()
                try await end.events.wait(until: { end.events.hasEnded })
                #expect(await way.stream.log.unreadCount == 0)
            }
        }
    }
#endif
