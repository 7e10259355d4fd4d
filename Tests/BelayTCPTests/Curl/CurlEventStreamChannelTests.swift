#if os(Linux)
    import BelayCore
    import BelayTransport
    import Testing

    @testable import BelayTCP

    @Suite(.tags(.realTime), .timeLimit(.minutes(5)))
    struct `An event stream by libcurl` {
        private struct Pair {
            let channel: any TransportChannel
            let log: EventLog<[UInt8]>
            let peer: RecordedStream

            init(
                on loop: EventLoop, acceptsCompression: Bool = false, lastEventID: String? = nil,
                fields: [RequestField] = []
            ) async throws {
                let server = try ScriptedPeer(on: loop)
                log = EventLog(on: loop)
                channel = CurlEventStreamTransport(on: loop).open(
                    EventStreamRequest(
                        url: try server.url("http", "/events?cut=1"),
                        acceptsCompression: acceptsCompression, lastEventID: lastEventID,
                        fields: fields),
                    sink: log.sink)
                peer = try await server.accept()
            }

            /// Waits for the end and gives the bytes before it.
            func end() async throws -> (bytes: String, cause: CloseCause) {
                var bytes: [UInt8] = []
                while true {
                    switch try await log.next() {
                    case .received(let more): bytes += more
                    case .ended(let cause, _):
                        return (String(decoding: bytes, as: UTF8.self), cause)
                    default: continue
                    }
                }
            }
        }

        private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

        @Test func `asks for the events after the last one`() async throws {  // E2
            try await onLoop { bench in
                let fields = [
                    try RequestField("Authorization", "secret"), try RequestField("HOST", "other"),
                ]
                let pair = try await Pair(on: bench.loop, lastEventID: "é1", fields: fields)
                let lines = pair.peer.events.text.split(separator: "\r\n").map(String.init)
                #expect(lines[0] == "GET /events?cut=1 HTTP/1.1")
                #expect(lines[1].hasPrefix("Host: 127.0.0.1:"))
                #expect(
                    lines[2...] == [
                        "Accept: text/event-stream", "Cache-Control: no-cache",
                        "Accept-Encoding: identity", "Last-Event-ID: é1", "Authorization: secret",
                    ])
                pair.channel.abort()
            }
        }

        @Test(arguments: [nil, ""])
        func `asks for all events without a last one`(_ id: String?) async throws {
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop, lastEventID: id)
                #expect(!pair.peer.events.text.contains("Last-Event-ID"))
                pair.channel.abort()
            }
        }

        @Test func `passes bytes on as they come`() async throws {  // E12
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(Self.ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nid:")
                #expect(try await pair.log.next() == .opened(subprotocol: nil))
                #expect(try await pair.log.next() == .received(Array("id:".utf8)))
                pair.peer.say("\r\n2\r\n1\n")
                #expect(try await pair.log.next() == .received(Array("1\n".utf8)))
                pair.peer.say("\r\n0\r\n\r\n")
                #expect(try await pair.log.next() == .ended(.peerFinished))
            }
        }

        enum Ending: CaseIterable { case none, fin, reset }

        @Test(
            arguments: [
                ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .none, .peerFinished),
                ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .fin, .truncated),
                ("Transfer-Encoding: chunked\r\n\r\n9\r\nabc", .fin, .truncated),
                ("Transfer-Encoding: chunked\r\n\r\n9\r\nabc", .reset, .reset),
                (
                    "Transfer-Encoding: chunked\r\n\r\n3\r\nabcX", .none,
                    .peerViolatedProtocol(code: 1002)
                ),
                ("Content-Length: 3\r\n\r\nabc", .none, .peerFinished),
                ("Content-Length: 4\r\n\r\nabc", .fin, .truncated),
                ("Content-Length: 4\r\n\r\nabc", .reset, .reset),
                ("\r\nabc", .fin, .peerFinished),
                ("\r\nabc", .reset, .reset),
            ] as [(String, Ending, CloseCause)])
        func `ends as its framing says`(
            _ said: String, _ ending: Ending, _ cause: CloseCause
        ) async throws {  // E9
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(Self.ok + said)
                #expect(try await pair.log.next() == .opened(subprotocol: nil))
                #expect(try await pair.log.next() == .received(Array("abc".utf8)))
                switch ending {
                case .none: break
                case .fin: pair.peer.stream.close()
                case .reset: pair.peer.stream.reset()
                }
                #expect(try await pair.log.next() == .ended(cause))
                #expect(await pair.log.unreadCount == 0)
            }
        }

        @Test func `that is empty ends at once`() async throws {
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(Self.ok + "Content-Length: 0\r\n\r\n")
                let end = try await pair.end()
                #expect(end.bytes.isEmpty)
                #expect(end.cause == .peerFinished)
            }
        }

        @Test(arguments: [
            "text/event-stream; charset=utf-8", "TEXT/Event-Stream", "text/event-stream;x",
            "text/event-stream ; charset=utf-8",
        ])
        func `opens with its content type in any spelling`(_ type: String) async throws {  // E10
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
                #expect(try await pair.log.next() == .opened(subprotocol: nil))
                pair.channel.abort()
            }
        }

        @Test(
            arguments: [
                ("200 OK\r\nContent-Type: text/html\r\n\r\n", .wrongContentType),
                ("200 OK\r\nContent-Type: text/event-streams\r\n\r\n", .wrongContentType),
                ("200 OK\r\n\r\n", .wrongContentType),
                (
                    "200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n",
                    .wrongContentType
                ),
                ("204 No Content\r\n\r\n", .toldToStop),
                ("301 Moved\r\nLocation: \r\n\r\n", .handshakeRefused(status: 301)),
                ("404 Not Found\r\n\r\n", .handshakeRefused(status: 404)),
                ("503 Busy\r\nRetry-After: 1\r\n\r\n", .handshakeRefused(status: 503)),
                (
                    "200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: x\r\n\r\n",
                    .peerViolatedProtocol(code: 1002)
                ),
            ] as [(String, CloseCause)])
        func `does not open with another response`(
            _ said: String, _ cause: CloseCause
        ) async throws {  // E10
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say("HTTP/1.1 " + said)
                let wait: Milliseconds? = said.contains("Retry-After: 1") ? 1_000 : nil
                #expect(try await pair.log.next() == .ended(cause, retryAfter: wait))
                #expect(await pair.log.unreadCount == 0)
            }
        }

        @Test func `reads nothing while it is paused, and then all`() async throws {  // E12
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(Self.ok + "\r\n")
                #expect(try await pair.log.next() == .opened(subprotocol: nil))
                pair.channel.setReading(.paused)
                let text = String(repeating: "data: x\n\n", count: 100_000)
                pair.peer.say(text)
                pair.peer.stream.close()
                let other = try await Pair(on: bench.loop)
                #expect(await pair.log.unreadCount == 0)
                pair.channel.setReading(.flowing)
                let end = try await pair.end()
                #expect(end.bytes == text)
                #expect(end.cause == .peerFinished)
                other.channel.abort()
            }
        }

        @Test func `holds what it has read back where a report is answered by a pause`()
            async throws
        {
            try await onLoop { bench in
                let loop = bench.loop
                let log = EventLog<[UInt8]>(on: loop)
                let server = try ScriptedPeer(on: loop)
                let request = EventStreamRequest(url: try server.url("http"))
                await log.lag { CurlEventStreamTransport(on: loop).open(request, sink: $0) }
                let peer = try await server.accept()
                peer.say(Self.ok + "Content-Length: 3\r\n\r\nabc")
                #expect(try await log.next() == .opened(subprotocol: nil))
                for expected in [.received(Array("abc".utf8)), .ended(.peerFinished)]
                    as [EventLog<[UInt8]>.Seen]
                {
                    // Another connection goes its whole way: a report would have come by then.
                    let other = try await Pair(on: loop)
                    other.channel.abort()
                    #expect(await log.unreadCount == 0)
                    #expect(await log.flow() == 0)
                    #expect(try await log.next() == expected)
                }
            }
        }

        /// 100 MB that are not read: what the peer cannot send, it keeps.
        @Test func `stops reading while it is paused`() async throws {  // E12
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(Self.ok + "\r\n")
                #expect(try await pair.log.next() == .opened(subprotocol: nil))
                pair.channel.setReading(.paused)
                let most = TCPStream.outputLimit
                pair.peer.stream.write([UInt8](repeating: 10, count: most))
                for _ in 0..<5 {
                    // Another connection goes its whole way meanwhile.
                    let other = try await Pair(on: bench.loop)
                    other.channel.abort()
                }
                #expect(pair.peer.stream.unsentCount > most - (16 << 20))
                #expect(await pair.log.unreadCount == 0)
                pair.channel.setReading(.flowing)
                pair.peer.stream.close()
                let end = try await pair.end()
                #expect(end.bytes.utf8.count == most)
                #expect(end.cause == .peerFinished)
            }
        }

        @Test func `inflates what was flushed at once, where it asked for that`() async throws {
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop, acceptsCompression: true)
                #expect(pair.peer.events.text.contains("\r\nAccept-Encoding: gzip\r\n"))
                pair.peer.say(Self.ok + "Content-Encoding: gzip\r\nContent-Length: 47\r\n\r\n")
                #expect(try await pair.log.next() == .opened(subprotocol: nil))
                for (part, event) in [
                    ("1f8b08000000000002034a492c49b45230e4e202000000ffff", "data: 1\n\n"),
                    ("4a01338cb8b800000000ffff", "data: 2\n\n"),
                ] {
                    pair.peer.say(hex: part)
                    #expect(try await pair.log.next() == .received(Array(event.utf8)))
                }
                pair.peer.say(hex: "0300062d008f12000000")
                #expect(try await pair.log.next() == .ended(.peerFinished))
            }
        }

        @Test func `answers a bomb a little at a time, as fast as its owner takes it`() async throws
        {
            try await onLoop { bench in
                let loop = bench.loop
                let log = EventLog<[UInt8]>(on: loop)
                let server = try ScriptedPeer(on: loop)
                let request = EventStreamRequest(
                    url: try server.url("http"), acceptsCompression: true)
                await log.lag { CurlEventStreamTransport(on: loop).open(request, sink: $0) }
                let peer = try await server.accept()
                peer.say(Self.ok + "Content-Encoding: gzip\r\nContent-Length: 2068\r\n\r\n")
                peer.stream.write(`The body of an event stream`.bomb)
                #expect(try await log.next() == .opened(subprotocol: nil))
                var count = 0
                while count < 2 << 20 {
                    #expect(await log.flow() == 0)
                    guard case .received(let bytes) = try await log.next() else { break }
                    #expect(bytes.count <= EventStreamBody.step)
                    count += bytes.count
                }
                #expect(count == 2 << 20)
                _ = await log.flow()
                #expect(try await log.next() == .ended(.peerFinished))
            }
        }

        @Test(arguments: [
            ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 8, nil),
            ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 9, CloseCause.limitExceeded),
            (
                "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n", 1,
                .limitExceeded
            ),
            // libcurl shows no line before its end, and holds 100 KiB of one.
            ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 110_000), 1, .limitExceeded),
            ("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 129), 1, .limitExceeded),
            ("SSH-2.0-OpenSSH\r\n\r\n", 1, .peerViolatedProtocol(code: 1002)),
            ("HTTP/1.1 200 OK\r\nX Y: z\r\n\r\n", 1, .peerViolatedProtocol(code: 1002)),
        ])
        func `reads heads within limits`(
            said: String, count: Int, cause: CloseCause?
        ) async throws {
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(String(repeating: said, count: count))
                if cause == nil { pair.peer.say(Self.ok + "\r\n") }
                let seen = try await pair.log.next()
                #expect(seen == cause.map { .ended($0) } ?? .opened(subprotocol: nil))
                pair.channel.abort()
            }
        }

        @Test(arguments: [
            ("", EventLog<[UInt8]>.Seen.ended(.peerVanished)),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/ev", .ended(.peerVanished)),
        ])
        func `ends by FIN amid its head`(said: String, seen: EventLog<[UInt8]>.Seen) async throws {
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(said)
                pair.peer.stream.close()
                #expect(try await pair.log.next() == seen)
            }
        }

        @Test(
            arguments: [
                (RequestMethod.get, nil), (.get, [0x78]), (.post, []), (.post, [1, 0, 2]),
                (.report, [0x78]),
            ] as [(RequestMethod, [UInt8]?)])
        func `sends its body as it is`(method: RequestMethod, body: [UInt8]?) async throws {
            try await onLoop { bench in
                let log = EventLog<[UInt8]>(on: bench.loop)
                let server = try ScriptedPeer(on: bench.loop)
                let request = EventStreamRequest(
                    url: try server.url("http", "/a/../b?c"), method: method, body: body,
                    fields: [
                        try RequestField("X-Empty", ""), try RequestField("X-Blank", " \t "),
                    ])
                let channel = CurlEventStreamTransport(on: bench.loop).open(request, sink: log.sink)
                let length = body.map { "Content-Length: \($0.count)\r\n" } ?? ""
                let peer = try await server.accept(behindHead: body?.count ?? 0)
                let text = peer.events.text
                #expect(text.hasPrefix("\(method.name) /a/../b?c HTTP/1.1\r\n"))
                #expect(text.contains("\r\nX-Empty:\r\n"))
                #expect(text.contains("\r\nX-Blank:\r\n"))
                #expect(!text.contains("Content-Type") && !text.contains("Expect"))
                #expect(text.contains("Content-Length") == (body != nil))
                #expect(text.contains(length))
                #expect(Array(peer.events.received.suffix(body?.count ?? 0)) == body ?? [])
                channel.abort()
            }
        }

        /// An idle time-out is the driver's, to the millisecond: libcurl has none of its own.
        @Test func `is ended by no timer of libcurl's`() async throws {
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                // The request is sent and nothing answered: then open, and idle.
                for said in ["", Self.ok + "\r\n"] {
                    pair.peer.say(said)
                    if !said.isEmpty { _ = try await pair.log.next() }
                    // What libcurl does at once is behind it.
                    while bench.loop.curl.nextAct.map({ $0 < 1_000 }) ?? false {
                        await Task.yield()
                    }
                    // The limit of the handshake is what is left: 24 days.
                    #expect((bench.loop.curl.nextAct ?? .never) > 20 * 24 * 3_600_000)
                }
                pair.channel.abort()
                #expect(bench.loop.curl.nextAct == nil)
            }
        }

        /// Browsers, and sessions, open six and have the seventh wait.
        @Test func `does not wait for others to the same host`() async throws {
            try await onLoop { bench in
                let loop = bench.loop
                let server = try ScriptedPeer(on: loop)
                let request = EventStreamRequest(url: try server.url("http"))
                let logs = (1...20).map { _ in EventLog<[UInt8]>(on: loop) }
                let channels = logs.map {
                    CurlEventStreamTransport(on: loop).open(request, sink: $0.sink)
                }
                for number in 1...20 {
                    try await server.accept().say(Self.ok + "\r\ndata: \(number)\n\n")
                }
                for log in logs { #expect(try await log.next() == .opened(subprotocol: nil)) }
                for channel in channels { channel.abort() }
            }
        }

        /// libcurl would wait for the look-up's thread, and the loop with it.
        @Test func `looks names up outside libcurl, and forgets them at once`() async throws {
            try await onLoop { bench in
                let log = EventLog<[UInt8]>(on: bench.loop)
                let request = EventStreamRequest(url: try ConnectionURL("http://nobody.invalid/"))
                let channel = CurlEventStreamTransport(on: bench.loop).open(request, sink: log.sink)
                #expect(bench.loop.curl.nextAct == nil)
                #expect(bench.loop.curl.count == 0)
                channel.abort()
                let pair = try await Pair(on: bench.loop)
                #expect(bench.loop.curl.count == 1)
                pair.channel.abort()
                #expect(bench.loop.curl.count == 0)
                #expect(await log.unreadCount == 0)
            }
        }

        /// Also where many of its own are amid everything.
        @Test func `ends with its loop`() async throws {
            let loop = try EventLoop()
            try loop.start()
            try await LoopBench(loop).run { bench in
                for isAnswered in [true, false] {
                    let pair = try await Pair(on: bench.loop)
                    if isAnswered {
                        pair.peer.say(Self.ok + "\r\nabc")
                        _ = try await pair.log.next()
                    }
                }
                #expect(bench.loop.curl.count == 2)
            }
            loop.shutdown()
        }

        @Test func `is silent when it was aborted`() async throws {  // E15
            try await onLoop { bench in
                let pair = try await Pair(on: bench.loop)
                pair.peer.say(Self.ok + "\r\nabc")
                pair.channel.abort()
                pair.channel.abort()
                let other = try await Pair(on: bench.loop)
                #expect(await pair.log.unreadCount == 0)
                other.channel.abort()
            }
        }

        @Test(arguments: ["1\r\nX: y", "1\u{0}", "1\u{1}", "1\u{7F}"])
        func `sends no id that no field can carry`(_ id: String) async throws {
            try await onLoop { bench in
                let log = EventLog<[UInt8]>(on: bench.loop)
                let request = EventStreamRequest(
                    url: try ConnectionURL("http://127.0.0.1:1/"), lastEventID: id)
                let channel = CurlEventStreamTransport(on: bench.loop).open(request, sink: log.sink)
                #expect(try await log.next() == .ended(.requestInvalid(.lastEventID)))
                channel.abort()
            }
        }
    }
#endif
