import BelayCore
import BelayTCP
import BelayTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(1)))
struct `An event stream over TCP` {
    private struct Pair {
        let channel: any TransportChannel
        let log: EventLog<[UInt8]>
        let peer: RecordedStream

        init(
            on loop: EventLoop, lastEventID: String? = nil, fields: [RequestField] = []
        ) async throws {
            let server = try ScriptedPeer(on: loop)
            log = EventLog(on: loop)
            channel = TCPEventStreamTransport(on: loop).open(
                EventStreamRequest(
                    url: try server.url("http", "/events?cut=1"), lastEventID: lastEventID,
                    fields: fields),
                sink: log.sink)
            peer = await server.accept()
        }

        /// Waits for the end and gives the bytes before it.
        func end() async -> (bytes: String, cause: CloseCause) {
            var bytes: [UInt8] = []
            while true {
                switch await log.next() {
                case .received(let more): bytes += more
                case .ended(let cause, _): return (String(decoding: bytes, as: UTF8.self), cause)
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
                    "Accept: text/event-stream", "Cache-Control: no-cache", "Last-Event-ID: é1",
                    "Authorization: secret",
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
            #expect(await pair.log.next() == .opened(subprotocol: nil))
            #expect(await pair.log.next() == .received(Array("id:".utf8)))
            pair.peer.say("\r\n2\r\n1\n")
            #expect(await pair.log.next() == .received(Array("1\n".utf8)))
            pair.peer.say("\r\n0\r\n\r\n")
            #expect(await pair.log.next() == .ended(.peerFinished))
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
            #expect(await pair.log.next() == .opened(subprotocol: nil))
            #expect(await pair.log.next() == .received(Array("abc".utf8)))
            switch ending {
            case .none: break
            case .fin: pair.peer.stream.close()
            case .reset: pair.peer.stream.reset()
            }
            #expect(await pair.log.next() == .ended(cause))
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test func `that is empty ends at once`() async throws {
        try await onLoop { bench in
            let pair = try await Pair(on: bench.loop)
            pair.peer.say(Self.ok + "Content-Length: 0\r\n\r\n")
            let end = await pair.end()
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
            #expect(await pair.log.next() == .opened(subprotocol: nil))
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
            ("301 Moved\r\nLocation: /\r\n\r\n", .handshakeRefused(status: 301)),
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
            #expect(await pair.log.next() == .ended(cause, retryAfter: wait))
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test func `reads nothing while it is paused, and then all`() async throws {  // E12
        try await onLoop { bench in
            let pair = try await Pair(on: bench.loop)
            pair.peer.say(Self.ok + "\r\n")
            #expect(await pair.log.next() == .opened(subprotocol: nil))
            pair.channel.setReading(.paused)
            let text = String(repeating: "data: x\n\n", count: 100_000)
            pair.peer.say(text)
            pair.peer.stream.close()
            let other = try await Pair(on: bench.loop)
            #expect(await pair.log.unreadCount == 0)
            pair.channel.setReading(.flowing)
            let end = await pair.end()
            #expect(end.bytes == text)
            #expect(end.cause == .peerFinished)
            other.channel.abort()
        }
    }

    @Test func `holds what it has read back where a report is answered by a pause`() async throws {
        try await onLoop { bench in
            let loop = bench.loop
            let log = EventLog<[UInt8]>(on: loop)
            let server = try ScriptedPeer(on: loop)
            let request = EventStreamRequest(url: try server.url("http"))
            await log.lag { TCPEventStreamTransport(on: loop).open(request, sink: $0) }
            let peer = await server.accept()
            peer.say(Self.ok + "Content-Length: 3\r\n\r\nabc")
            #expect(await log.next() == .opened(subprotocol: nil))
            for expected in [.received(Array("abc".utf8)), .ended(.peerFinished)]
                as [EventLog<[UInt8]>.Seen]
            {
                // Another connection goes its whole way: a report would have come by then.
                let other = try await Pair(on: loop)
                other.channel.abort()
                #expect(await log.unreadCount == 0)
                #expect(await log.flow() == 0)
                #expect(await log.next() == expected)
            }
        }
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

    @Test func `sends no id that would end its line`() async throws {
        try await onLoop { bench in
            let log = EventLog<[UInt8]>(on: bench.loop)
            let request = EventStreamRequest(
                url: try ConnectionURL("http://127.0.0.1:1/"), lastEventID: "1\r\nX: y")
            let channel = TCPEventStreamTransport(on: bench.loop).open(request, sink: log.sink)
            #expect(await log.next() == .ended(.connectFailed(.system(code: 22))))
            channel.abort()
        }
    }
}
