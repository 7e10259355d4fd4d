import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Testing

/// What users of other event stream clients reported; Docs/bug-log.md names each.
@Suite struct `An event source, as others were reported` {
    private let g1 = Generation(1)

    // J30, J37
    @Test func `says the newest id after every drop`() throws {
        let feed = try Feed()
        _ = feed.process()
        for index in 0..<5 {
            #expect(feed.channels[index].request.lastEventID == (index == 0 ? nil : "\(index)"))
            feed.open(index)
            feed.receive("id: \(index + 1)\ndata: x\n\n", on: index)
            feed.cut()
        }
    }

    // J32
    @Test func `hands over a priming event with empty data, and commits its id`() throws {
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.receive("id: 123\ndata:\n\n")
        #expect(feed.events == [""])
        feed.cut()
        #expect(feed.channels[1].request.lastEventID == "123")
    }

    // J33
    @Test func `goes on by another source where the first was closed`() async throws {
        let ledger = MemoryLedger()
        let feed = try Feed(ledger: ledger)
        let processing = feed.process()
        feed.open()
        feed.receive("id: 600\ndata: x\n\n")
        feed.source.close()
        feed.loop.run()
        #expect(await processing.value == nil)
        let next = try Feed(loop: feed.loop, ledger: ledger)
        _ = next.process()
        #expect(next.channels[0].request.lastEventID == "600")
        next.open()
        next.receive("id: 600\ndata: x\n\nid: 601\ndata: y\n\n")
        #expect(next.events == ["y"])
    }

    // K42
    @Test func `takes a finite answer for the end where one attempt is allowed, and says why`()
        async throws
    {
        var configuration = ConnectionConfiguration()
        configuration.attemptLimit = 1
        let feed = try Feed(configuration: configuration, method: .post, body: Array("?".utf8))
        let processing = feed.process()
        feed.open()
        feed.receive("data: a\n\ndata: b\n\ndata: c\n\n")
        feed.channels[0].report(.ended(.peerFinished))
        feed.loop.advance(by: 1_000_000)
        #expect(await processing.value?.code == .closed(.peerFinished))
        #expect(feed.events == ["a", "b", "c"])
        #expect(feed.channels.count == 1)
    }

    // K43
    @Test func `tells each refusal once, and waits longer after each`() throws {
        let feed = try Feed()
        _ = feed.process()
        for index in 0..<6 {
            feed.channels[index].report(.ended(.handshakeRefused(status: 503)))
            feed.channels[index].report(.ended(.handshakeRefused(status: 503)))
            while feed.channels.count == index + 1 { feed.loop.advance(by: 10) }
        }
        let ends = feed.records.connection.filter { $0.cause != nil }
        #expect(ends.map(\.generation.number) == Array(1...6))
        let waits = ends.map { end in
            if case .waiting(let until) = end.after { until - end.at } else { Milliseconds(0) }
        }
        #expect(zip(waits, [1, 2, 4, 8, 16, 30]).allSatisfy { $0 <= $1 * 1_000 })
        #expect(waits.max() ?? 0 > 4_000)
    }

    // K49, K50
    @Test func `hears nothing of an old request once a new one is asked`() throws {
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.source.reconnect()
        feed.loop.run()
        #expect(feed.channels[0].isAborted)
        feed.channels[0].report(.received(Array("id: 9\ndata: old\n\n".utf8)))
        feed.channels[0].report(.ended(.reset))
        feed.loop.advance(by: 1_000)
        #expect(feed.channels.count == 2)
        feed.open(1)
        feed.receive("id: 1\ndata: new\n\n", on: 1)
        feed.channels[0].report(.ended(.reset))
        feed.loop.advance(by: 1_000_000)
        #expect(feed.channels.count == 2)
        #expect(feed.events == ["new"])
    }

    // K59
    @Test func `asks nothing while the app is away, and at once when it is back`() throws {
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.source.enterBackground()
        feed.loop.run()
        feed.channels[0].report(.ended(.reset))
        feed.loop.advance(by: 60_000)
        #expect(feed.channels.count == 1)
        #expect(feed.loop.armedTimers == 0)
        feed.source.enterForeground()
        feed.loop.run()
        #expect(feed.channels.count == 2)
    }

    // K60
    @Test func `lasts for as long as its server speaks`() throws {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .after(.seconds(60))
        let feed = try Feed(configuration: configuration)
        _ = feed.process()
        feed.open()
        for _ in 1...2_000 {
            feed.loop.advance(by: 59_000)
            feed.receive(": beat\n")
        }
        #expect(feed.source.status == .open(g1))
    }
}
