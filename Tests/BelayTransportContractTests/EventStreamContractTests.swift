import BelayCore
import BelayTransport
import Testing

/// What every event stream transport promises its driver.
@Suite(.timeLimit(.minutes(5))) struct `An event stream transport` {
    @Test(arguments: EventStreamKind.allCases)
    func `delivers opened first, the body in order, and its end once`(
        kind: EventStreamKind
    ) async throws {
        try await withServer(kind, .events(200, bytes: 50)) { client, _ in
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.events.first == .opened(subprotocol: nil))
            let body = await client.payloads.flatMap { $0 }
            #expect(body == (1...200).flatMap { StreamText.event($0, bytes: 50) })
            #expect(await client.causes == [.peerFinished])
        }
    }

    @Test(arguments: EventStreamKind.allCases)
    func `opens by the head alone`(kind: EventStreamKind) async throws {
        try await withServer(kind, .stalls) { client, _ in
            try await client.wait { !$0.isEmpty }
            #expect(await client.events == [.opened(subprotocol: nil)])
        }
    }

    @Test(arguments: EventStreamKind.allCases)
    func `keeps what came before a reset`(kind: EventStreamKind) async throws {
        try await withServer(kind, .resets) { client, _ in
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.payloads.flatMap { $0 } == StreamText.first)
            #expect(await client.causes == [.reset])
        }
    }

    // E10
    @Test(
        arguments: EventStreamKind.allCases,
        [
            (StreamPlan.refuses(status: 503), CloseCause.handshakeRefused(status: 503)),
            (.refuses(status: 404), .handshakeRefused(status: 404)),
            (.saysAnotherType, .wrongContentType), (.saysTooOld, .cursorTooOld),
        ])
    func `says why it opened nothing`(
        kind: EventStreamKind, end: (plan: StreamPlan, cause: CloseCause)
    ) async throws {
        try await withServer(kind, end.plan) { client, _ in
            try await client.wait { !$0.isEmpty }
            #expect(await client.causes == [end.cause])
            if case .handshakeRefused = end.cause {
                #expect(await client.events == [.ended(end.cause, retryAfter: 2_000)])
            }
            #expect(await client.events.count == 1)
        }
    }

    @Test(arguments: EventStreamKind.allCases, [RequestMethod.post, .report])
    func `asks by a method with content`(
        kind: EventStreamKind, method: RequestMethod
    ) async throws {
        let content = [UInt8](repeating: UInt8(ascii: "q"), count: 70_000)
        try await withServer(kind, .events(3, bytes: 1), method: method, content: content) {
            client, server in
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.causes == [.peerFinished])
            #expect(await server.saw(70_000, by: method))
        }
    }

    @Test(arguments: EventStreamKind.allCases)
    func `is told to stop by a 204`(kind: EventStreamKind) async throws {
        try await withServer(kind, .refuses(status: 204)) { client, _ in
            try await client.wait { !$0.isEmpty }
            #expect(await client.causes == [.toldToStop])
        }
    }

    @Test(arguments: EventStreamKind.allCases)
    func `asks for what follows the last event`(kind: EventStreamKind) async throws {
        try await withServer(kind, .events(3, bytes: 1), lastEventID: "2") { client, _ in
            try await client.wait { $0.last?.cause != nil }
            if kind != .scripted {
                let body = await client.payloads.flatMap { $0 }
                #expect(body == StreamText.event(3, bytes: 1))
            }
        }
    }

    // E15
    @Test(arguments: EventStreamKind.allCases, [StreamPlan.staysSilent, .stalls])
    func `aborted ends the request and delivers nothing more`(
        kind: EventStreamKind, plan: StreamPlan
    ) async throws {
        try await withServer(kind, plan) { client, server in
            if plan == .stalls { try await client.wait { !$0.isEmpty } }
            let events = await client.events
            await client.abort()
            await client.abort()
            await server.sawEnd()
            await client.domain.call {}
            #expect(await client.events == events)
        }
    }

    // E12
    @Test(arguments: EventStreamKind.allCases)
    func `holds the body while it is paused, and delivers all of it when it flows`(
        kind: EventStreamKind
    ) async throws {
        try await withServer(kind, .events(100, bytes: 2_000), lagging: true) { client, server in
            try await client.wait { !$0.isEmpty }
            await server.saidAnEvent()
            await client.domain.call {}
            #expect(await client.payloads.isEmpty)
            // One report more each time it flows, as long as its owner lags.
            await client.setReading(.flowing)
            try await client.wait { $0.count >= 2 }
            await client.flow()
            try await client.wait { $0.last?.cause != nil }
            let body = await client.payloads.flatMap { $0 }
            // Compared first: a report of so many bytes tells nobody anything.
            let isWhole = body == (1...100).flatMap { StreamText.event($0, bytes: 2_000) }
            #expect(isWhole)
            #expect(await client.payloadsBehindPause == (kind == .scripted ? 99 : 0))
            #expect(await client.causes == [.peerFinished])
        }
    }

    /// The peer has more to say than anybody may keep. Where a pause reaches it, it waits; where
    /// not, which is so on Linux under a session, the stream ends before memory does.
    @Test(arguments: EventStreamKind.overHTTP)
    func `never keeps a flood for a paused owner`(kind: EventStreamKind) async throws {
        let event = StreamText.event(1, bytes: 1 << 20)
        let limit = 16 << 20
        try await withServer(kind, .events(1_024, bytes: 1 << 20), lagging: true) {
            client, server in
            try await client.wait { !$0.isEmpty }
            if kind.stopsWhilePaused {
                await server.saidAnEvent()
            } else {
                await server.sawEnd()
            }
            await client.domain.call {}
            #expect(await client.events == [.opened(subprotocol: nil)])
            await client.flow()
            try await client.wait { events in
                events.last?.cause != nil || events.reduce(0) { $0 + $1.byteCount } > limit
            }
            #expect(await client.causes == (kind.stopsWhilePaused ? [] : [.fellBehind]))
            // All that came before its end.
            let body = await client.payloads.flatMap { $0 }
            #expect(body.count > limit)
            let isWhole = body.starts(with: event)
            #expect(isWhole)
        }
    }
}
