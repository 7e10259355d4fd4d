import BelayCore
import BelayTesting
import BelayTransport
import Observation
import Testing

@testable import Belay

/// On the main actor beside manual loops, as `A connection's model`.
@MainActor @Suite(.timeLimit(.minutes(5))) struct `A model of several hosts` {
    /// Returns once the model shows what `holds` wants, or throws `WaitedInVain`.
    private func wait(
        for model: HostOutcomesModel, file: String = #fileID, line: Int = #line,
        _ holds: @escaping @MainActor (HostOutcomesModel) -> Bool
    ) async throws {
        while !holds(model) {
            let changed = Answer<Bool>()
            withObservationTracking {
                _ = holds(model)
            } onChange: {
                changed.give(true)
            }
            try await changed.wait(file: file, line: line)
        }
    }

    // P2, P12
    @Test func `shows that one fails and another succeeds, each by itself`() async throws {
        let (one, other) = (
            try Chat(url: "ws://one.example/"), try Chat(url: "ws://Other.example:8080/ws")
        )
        let feed = try Feed()
        let model = HostOutcomesModel()
        model.follow(one.connection)
        model.follow(other.connection)
        model.follow(feed.source)
        #expect(model.outcomes == HostOutcomes())
        one.read()
        one.channels[0].report(.ended(.connectFailed(.refused)))
        one.loop.run()
        try await wait(for: model) { $0.outcomes["one.example"] == .failed(.notConnected) }
        #expect(model.outcomes["other.example"] == .none)
        other.open()
        let processing = feed.process()
        feed.loop.run()
        feed.channels[0].report(.ended(.handshakeRefused(status: 503)))
        feed.loop.run()
        try await wait(for: model) {
            $0.outcomes["other.example"] == .succeeded
                && $0.outcomes["127.0.0.1"] == .failed(.serverFailed)
        }
        #expect(model.outcomes["one.example"] == .failed(.notConnected))
        processing.cancel()
        feed.loop.run()
        _ = await processing.value
    }

    // P1, P2, P10
    @Test func `has a banner for each host, by the path that it shares with the others`()
        async throws
    {
        let chat = try Chat(url: "ws://one.example/")
        let observer = ScriptedPathObserver(domain: chat.loop)
        let path = NetworkPath(observer: observer)
        path.restart()
        chat.loop.run()
        let model = HostOutcomesModel(on: path)
        model.follow(chat.connection)
        model.record(.failed(.timedOut), of: "images.example")
        #expect(model.banner(of: "images.example") == .requestFailed)
        #expect(model.banner(of: "one.example") == .pathUnknown)
        observer.observations[0].report(PathUpdate(.unavailable))
        chat.loop.run()
        try await wait(for: model) { $0.banner(of: "one.example") == .pathUnavailable }
        chat.open()
        try await wait(for: model) { $0.banner(of: "one.example") == .pathContradicted }
        #expect(model.banner(of: "images.example") == .pathUnavailable)
        observer.observations[0].report(PathUpdate(.available))
        chat.loop.run()
        try await wait(for: model) { $0.banner(of: "one.example") == .none }
        #expect(model.banner(of: "images.example") == .requestFailed)
    }

    @Test func `follows a connection once and keeps none, and goes when nobody holds it`()
        async throws
    {
        let loop = ManualLoop()
        var chat: Chat? = try Chat(loop: loop)
        weak let connection = chat?.connection
        var model: HostOutcomesModel? = HostOutcomesModel()
        weak let shown = model
        try model?.follow(#require(chat).connection)
        try model?.follow(#require(chat).connection)
        #expect(model?.followers.count == 1)
        chat = nil
        #expect(connection == nil)
        loop.run()
        // The time limit ends a wait in vain.
        while model?.followers.isEmpty == false { await Task.yield() }
        model = nil
        #expect(shown == nil)
    }
}
