#if os(Linux)
    import BelayCore
    import BelayTransport
    import Testing

    @testable import BelayTCP

    @Suite(
        .tags(.realTime), .timeLimit(.minutes(5)), .serialized,
        .enabled(if: HTTP2Peer.isAvailable, HTTP2Peer.absence))
    struct `An event stream over HTTP/2` {
        private static func open(
            _ target: String, _ method: RequestMethod = .get, body: [UInt8]? = nil,
            lastEventID: String? = nil, on loop: EventLoop
        ) throws -> LoggedStream {
            let request = EventStreamRequest(
                url: try HTTP2Peer.shared.url(target), method: method, body: body,
                lastEventID: lastEventID, fields: [try RequestField("X-Key", "secret")])
            return LoggedStream(request, tls: try TLSPeer.shared.trusting, on: loop)
        }

        /// Has the server go on with what it holds back.
        private static func go(on loop: EventLoop) async throws {
            let end = try await open("/go", on: loop).end()
            #expect(end.cause == .peerFinished)
        }

        @Test func `asks as over HTTP/1.1, and opens behind interim heads`() async throws {
            try await onLoop { bench in
                for target in ["/echo", "/moved"] {
                    let stream = try Self.open(
                        target, .post, body: Array("why?".utf8), lastEventID: "é1",
                        on: bench.loop)
                    #expect(try await stream.log.next() == .opened(subprotocol: nil))
                    let end = try await stream.end()
                    #expect(end.cause == .peerFinished)
                    for line in [
                        ":method: POST", ":path: /echo", ":scheme: https",
                        "accept: text/event-stream", "accept-encoding: identity",
                        "cache-control: no-cache", "content-length: 4", "last-event-id: é1",
                        "x-key: secret", "why?",
                    ] {
                        #expect(end.text.contains("data: \(line)\n"))
                    }
                    #expect(!end.text.contains("content-type"))
                }
            }
        }

        @Test(arguments: [
            ("end", CloseCause.peerFinished),
            ("end-cut", .peerFinished),
            ("short", .reset),
            ("cut", .truncated),
            ("notify", .truncated),
            ("reset", .reset),
            ("rst-stream", .reset),
            ("goaway-notify", .truncated),
            ("goaway-cut", .truncated),
        ])
        func `tells its end from a cut`(how: String, cause: CloseCause) async throws {
            try await onLoop { bench in
                let stream = try Self.open("/held/\(how)", on: bench.loop)
                #expect(try await stream.log.next() == .opened(subprotocol: nil))
                #expect(try await stream.log.next() == .received(Array("data: x\n\n".utf8)))
                try await Self.go(on: bench.loop)
                let seen = try await stream.log.next()
                #expect(seen == .ended(cause))
            }
        }

        @Test(arguments: ["/refused", "/going"])
        func `ends where it is refused, and leaves trying again to its driver`(
            target: String
        ) async throws {
            try await onLoop { bench in
                let stream = try Self.open(target, on: bench.loop)
                #expect(try await stream.log.next() == .ended(.reset))
                #expect(await stream.log.unreadCount == 0)
            }
        }

        /// What one of them does is none of the others' business: each has its own connection.
        @Test func `goes on beside another that is paused or dies`() async throws {
            try await onLoop { bench in
                let streams = try ["/held/end", "/held/reset", "/flood"].map {
                    try Self.open($0, on: bench.loop)
                }
                for stream in streams {
                    #expect(try await stream.log.next() == .opened(subprotocol: nil))
                }
                streams[2].channel.setReading(.paused)
                for stream in streams[..<2] {
                    #expect(try await stream.log.next() == .received(Array("data: x\n\n".utf8)))
                }
                try await Self.go(on: bench.loop)
                #expect(try await streams[0].log.next() == .ended(.peerFinished))
                #expect(try await streams[1].log.next() == .ended(.reset))
                streams[2].channel.abort()
            }
        }

        @Test func `stops reading while it is paused`() async throws {
            try await onLoop { bench in
                let stream = try Self.open("/flood", on: bench.loop)
                stream.channel.setReading(.paused)
                #expect(try await stream.log.next() == .opened(subprotocol: nil))
                // What the server could send comes to stand still.
                var counts = [-2, -1]
                while counts[0] != counts[1] {
                    let asked = try Self.open("/sent", on: bench.loop)
                    counts = [counts[1], Int(try await asked.end().text) ?? 0]
                }
                #expect(counts[1] < 32 << 20)
                #expect(await stream.log.unreadCount == 0)
                stream.channel.setReading(.flowing)
                let end = try await stream.end()
                #expect(end.text.utf8.count == 64 << 20)
                #expect(end.cause == .peerFinished)
            }
        }
    }
#endif
