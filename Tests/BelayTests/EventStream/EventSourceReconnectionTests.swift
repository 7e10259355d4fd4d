import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

/// What an event stream does between two connections, in virtual time.
@Suite struct `An event source that comes back` {
    /// The waits between one end and the attempt after it, with chance as it is drawn.
    private func waits(of feed: Feed, _ times: Int, end: (Int) -> Void) -> [Milliseconds] {
        (0..<times).map { index in
            end(index)
            let before = feed.loop.now
            while feed.channels.count == index + 1 { feed.loop.advance(by: 10) }
            return feed.loop.now - before
        }
    }

    // Waits of 1, 2, 4 … s at most say nothing; what is drawn above 1 s shows that they grow.
    @Test(arguments: [10_000, 61_000] as [Milliseconds])
    func `waits ever longer for a server that opens, says nothing and drops`(
        age: Milliseconds
    ) throws {
        let feed = try Feed()
        _ = feed.process()
        let waits = waits(of: feed, 40) { index in
            feed.open(index)
            feed.receive(": hello\n\n", on: index)
            // Always at the same age, which is no balancer's limit for that.
            feed.loop.advance(by: age)
            feed.channels[index].report(.ended(.peerFinished))
            feed.loop.run()
        }
        #expect(waits[0] <= 1_010)
        #expect(waits.suffix(30).max() ?? 0 > 20_000)
        #expect(waits.suffix(30).min() ?? 0 < 10_000)
    }

    @Test func `waits as at first for a server that drops after each event`() throws {
        let feed = try Feed()
        _ = feed.process()
        let waits = waits(of: feed, 40) { index in
            feed.open(index)
            feed.receive("id: \(index)\ndata: x\n\n", on: index)
            feed.channels[index].report(.ended(.peerFinished))
            feed.loop.run()
        }
        #expect(waits.max() ?? 0 <= 1_010)
    }

    // E14: the end is known before the handler returns.
    @Test func `waits as at first where the event is committed after the drop`() throws {
        let feed = try Feed()
        _ = feed.process()
        let waits = waits(of: feed, 40) { index in
            feed.open(index)
            // Both in one turn.
            feed.channels[index].report(.received(Array("id: \(index)\ndata: x\n\n".utf8)))
            feed.channels[index].report(.ended(.peerFinished))
            feed.loop.run()
        }
        #expect(waits.max() ?? 0 <= 1_010)
    }

    // E5: a server that replays the same for ever is no use.
    @Test(arguments: ["id: 1\ndata: a\n\n", "id: 2\n\n"])
    func `takes neither a replay nor a block without data for progress`(_ text: String) throws {
        let feed = try Feed(ledger: MemoryLedger(lastEventID: "1"))
        _ = feed.process()
        let waits = waits(of: feed, 40) { index in
            feed.open(index)
            feed.receive(text, on: index)
            feed.channels[index].report(.ended(.peerFinished))
            feed.loop.run()
        }
        #expect(waits.suffix(30).max() ?? 0 > 20_000)
    }

    // E10
    @Test func `keeps a server's Retry-After once, and then waits as usual`() throws {
        let feed = try Feed()
        _ = feed.process()
        let waits = waits(of: feed, 3) { index in
            if index == 0 {
                feed.channels[0].report(
                    .ended(.handshakeRefused(status: 503), retryAfter: 60_000))
            } else {
                feed.channels[index].report(.ended(.reset))
            }
            feed.loop.run()
        }
        #expect((60_250...61_010).contains(waits[0]))
        #expect(waits[1] <= 2_010)
        #expect(waits[2] <= 4_010)
    }

    // E11
    @Test func `keeps the server's reconnection time over connections`() throws {
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.receive("retry: 20000\nid: 0\ndata: x\n\n")
        let waits = waits(of: feed, 30) { index in
            if index > 0 {
                feed.open(index)
                feed.receive("id: \(index)\ndata: x\n\n", on: index)
            }
            feed.channels[index].report(.ended(.peerFinished))
            feed.loop.run()
        }
        #expect(waits.max() ?? 0 > 10_000)
        #expect(waits.max() ?? 0 <= 20_010)
    }

    // E9
    @Test func `learns how often its server beats, and gives up what is silent for longer`() throws
    {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .learned()
        let feed = try Feed(configuration: configuration)
        _ = feed.process()
        feed.open()
        feed.loop.advance(by: 600_000)
        #expect(!feed.channels[0].isAborted)
        for _ in 1...5 {
            feed.receive(": beat\n")
            feed.loop.advance(by: 15_000)
        }
        feed.loop.advance(by: 29_999)
        #expect(!feed.channels[0].isAborted)
        feed.loop.advance(by: 1)
        #expect(feed.channels[0].isAborted)
        #expect(
            feed.records.connection.compactMap(\.cause) == [.idleTimedOut])
        // The next connection knows it from its opening on, and doubts it.
        feed.loop.advance(by: 1_000)
        feed.open(1)
        feed.loop.advance(by: 89_999)
        #expect(!feed.channels[1].isAborted)
        feed.loop.advance(by: 1)
        #expect(feed.channels[1].isAborted)
    }

    // E9
    @Test func `never ends in a loop of time-outs where it learnt wrongly`() throws {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .learned()
        let feed = try Feed(configuration: configuration)
        _ = feed.process()
        // Busy by day, each 5 s; without a word at night.
        for _ in 1...30 {
            feed.open(feed.channels.count - 1)
            for _ in 1...100 {
                feed.receive(": busy\n", on: feed.channels.count - 1)
                feed.loop.advance(by: 5_000)
            }
            for _ in 1...12 {
                feed.loop.advance(by: 3_600_000 / 12)
                if case .connecting = feed.source.status { feed.open(feed.channels.count - 1) }
            }
            feed.channels[feed.channels.count - 1].report(.ended(.peerFinished))
            feed.loop.advance(by: 31_000)
        }
        let timeouts = feed.records.connection.count { $0.cause == .idleTimedOut }
        #expect((1...12).contains(timeouts))
    }

    @Test func `asks the same at each attempt, with fresh fields and the same body`() throws {
        let loop = ManualLoop()
        let body = Array(#"{"question":"why?"}"#.utf8)
        let hook = RequestHook<EventStreamRequest>(on: loop) { request, attempt in
            var request = request
            request.fields.append(try RequestField("Authorization", "\(attempt.generation)"))
            return request
        }
        let feed = try Feed(loop: loop, method: .post, body: body, requestHook: hook)
        _ = feed.process()
        for index in 0..<3 {
            let request = feed.channels[index].request
            #expect(request.method == .post)
            #expect(request.body == body)
            #expect(request.fields.map(\.value) == ["g\(index + 1)"])
            feed.cut()
            feed.loop.advance(by: 5_000)
        }
    }
}
