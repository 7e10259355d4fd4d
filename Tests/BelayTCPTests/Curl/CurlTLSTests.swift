#if os(Linux)
    import BelayCore
    import BelayTransport
    import Testing

    @testable import BelayTCP

    /// An event stream of a test's and what it reported.
    struct LoggedStream {
        let channel: any TransportChannel
        let log: EventLog<[UInt8]>

        init(_ request: EventStreamRequest, tls policy: TLSPolicy, on loop: EventLoop) {
            log = EventLog(on: loop)
            let transport = CurlEventStreamTransport(
                on: loop, dial: DialSettings.patient(tls: policy))
            channel = transport.open(request, sink: log.sink)
        }

        /// Waits for the end and gives the bytes before it.
        func end() async throws -> (text: String, cause: CloseCause) {
            var bytes: [UInt8] = []
            while true {
                switch try await log.next() {
                case .received(let more): bytes += more
                case .ended(let cause, _): return (String(decoding: bytes, as: UTF8.self), cause)
                default: continue
                }
            }
        }
    }

    @Suite(
        .tags(.realTime), .timeLimit(.minutes(5)),
        .enabled(if: TLSPeer.isAvailable, TLSPeer.absence))
    struct `An event stream through TLS` {
        typealias Way = `A connection through TLS`.Way

        private static func open(
            _ way: Way, _ target: String, on loop: EventLoop
        ) throws -> LoggedStream {
            let peer = try TLSPeer.shared
            let url = try ConnectionURL(
                "https://\(way.host):\(try peer.port(of: way.server))\(target)")
            return LoggedStream(
                EventStreamRequest(url: url), tls: way.settings(peer).tls, on: loop)
        }

        @Test(arguments: Way.good)
        func `opens`(_ way: Way) async throws {
            try await onLoop { bench in
                let stream = try Self.open(way, "/events-notify", on: bench.loop)
                #expect(try await stream.log.next() == .opened(subprotocol: nil))
                #expect(try await stream.log.next() == .received(Array("data: x\n\n".utf8)))
                stream.channel.abort()
            }
        }

        // D12
        @Test(arguments: Way.bad)
        func `fails before a byte of the application leaves`(_ way: Way) async throws {
            try await onLoop { bench in
                let stream = try Self.open(way, "/events-notify", on: bench.loop)
                #expect(try await stream.log.next() == .ended(.tlsFailed))
            }
        }

        @Test func `trusts no authority that only a file of ours would name`() async throws {
            let peer = try TLSPeer.shared
            try await onLoop { bench in
                let url = try ConnectionURL("https://localhost:\(try peer.port(of: .good))/events")
                // A session of the first must not be taken up by the second.
                for policy in [peer.trusting, .standard] {
                    let stream = LoggedStream(
                        EventStreamRequest(url: url), tls: policy, on: bench.loop)
                    let seen = try await stream.log.next()
                    #expect(
                        seen
                            == (policy == .standard
                                ? .ended(.tlsFailed) : .opened(subprotocol: nil)))
                    stream.channel.abort()
                }
            }
        }

        // F13
        @Test(arguments: [
            ("/events-notify", CloseCause.peerFinished), ("/events-cut", .truncated),
        ])
        func `tells whether events that only a close ends are all there`(
            target: String, cause: CloseCause
        ) async throws {
            try await onLoop { bench in
                let way = Way(server: .good, host: "localhost", testDescription: "")
                let stream = try Self.open(way, target, on: bench.loop)
                let end = try await stream.end()
                #expect(end.text == "data: x\n\n")
                #expect(end.cause == cause)
            }
        }

        @Test func `blames no peer for a file that cannot be used`() async throws {
            let peer = try TLSPeer.shared
            let key = TLSPolicy.ClientCertificate(
                certificateFile: peer.file("client.pem"), keyFile: peer.file("other.key"))
            try await onLoop { bench in
                let url = try ConnectionURL("https://localhost:\(try peer.port(of: .good))/events")
                for policy in [
                    TLSPolicy(authoritiesFile: peer.file("no-such.pem")),
                    TLSPolicy(clientCertificate: key),
                ] {
                    let stream = LoggedStream(
                        EventStreamRequest(url: url), tls: policy, on: bench.loop)
                    let seen = try await stream.log.next()
                    #expect(seen == .ended(.connectFailed(.system(code: 22))))
                }
            }
        }

        @Test func `goes through a proxy's tunnel, and the proxy reads nothing`() async throws {
            let peer = try TLSPeer.shared
            try await onLoop { bench in
                let proxy = try ScriptedPeer(on: bench.loop)
                let log = EventLog<[UInt8]>(on: bench.loop)
                let settings = DialSettings.patient(
                    tls: peer.trusting, proxy: HTTPProxy(host: "127.0.0.1", port: proxy.port))
                let port = try peer.port(of: .good)
                let url = try ConnectionURL("https://localhost:\(port)/events-notify")
                let channel = CurlEventStreamTransport(on: bench.loop, dial: settings)
                    .open(EventStreamRequest(url: url), sink: log.sink)
                let tunnel = try await proxy.accept()
                #expect(tunnel.events.text.hasPrefix("CONNECT localhost:\(port) HTTP/1.1\r\n"))
                let out = RecordedStream(try await connect(to: port, on: bench.loop))
                tunnel.events.onReceive = { _, bytes in out.stream.write(bytes) }
                out.events.onReceive = { _, bytes in tunnel.stream.write(bytes) }
                tunnel.say("HTTP/1.1 200 OK\r\n\r\n")
                let opening = try await log.next()
                try #require(opening == .opened(subprotocol: nil))
                #expect(try await log.next() == .received(Array("data: x\n\n".utf8)))
                #expect(!tunnel.events.text.contains("GET"))
                for end in [tunnel, out] { end.events.onReceive = nil }
                channel.abort()
            }
        }

        /// As many turns as each has before it is cancelled, it comes through all of its stages.
        @Test(arguments: ["127.0.0.1", "localhost"])
        func `that is cancelled leaves no descriptor and says nothing more`(
            host: String
        ) async throws {
            let peer = try TLSPeer.shared
            try await onLoop { bench in
                let url = try ConnectionURL("https://\(host):\(try peer.port(of: .good))/events")
                for turns in 0..<50 {
                    let stream = LoggedStream(
                        EventStreamRequest(url: url), tls: peer.trusting, on: bench.loop)
                    for _ in 0..<turns { await bench.loop.call {} }
                    stream.channel.abort()
                    let told = stream.log.unreadCountAtOnce
                    #expect(bench.loop.registeredCount == 0)
                    #expect(bench.loop.curl.count == 0)
                    await bench.loop.call {}
                    #expect(await stream.log.unreadCount == told)
                }
            }
        }

        /// The server is not asked: it says nothing before the handshake is done.
        @Test func `waits as long for a handshake as its driver does`() async throws {
            try await onLoop { bench in
                let way = Way(server: .silent, testDescription: "")
                let stream = try Self.open(way, "/", on: bench.loop)
                while bench.loop.curl.count == 0 { await Task.yield() }
                while bench.loop.curl.nextAct.map({ $0 < 1_000 }) ?? false { await Task.yield() }
                #expect((bench.loop.curl.nextAct ?? .never) > 20 * 24 * 3_600_000)
                #expect(await stream.log.unreadCount == 0)
                stream.channel.abort()
                #expect(bench.loop.curl.count == 0)
            }
        }
    }
#endif
