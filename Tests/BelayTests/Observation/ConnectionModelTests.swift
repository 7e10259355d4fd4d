import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Observation
import Testing

/// On the main actor beside a manual loop: the loop's turns are the test's, the main actor's come
/// while the test waits.
@MainActor @Suite(.timeLimit(.minutes(5))) struct `A connection's model` {
    /// Returns once the model shows what `holds` wants, or throws `WaitedInVain`.
    private func wait(
        for model: ConnectionModel, file: String = #fileID, line: Int = #line,
        _ holds: @escaping @MainActor (ConnectionModel) -> Bool
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

    private func pathReporting(on loop: ManualLoop) -> (NetworkPath, (PathUpdate) -> Void) {
        let observer = ScriptedPathObserver(domain: loop)
        let path = NetworkPath(observer: observer)
        path.restart()
        loop.run()
        return (
            path,
            {
                observer.observations[0].report($0); loop.run()
            }
        )
    }

    // P8
    @Test func `shows status and outcome as they come, and lets observers know`() async throws {
        let chat = try Chat()
        let model = ConnectionModel(of: chat.connection)
        #expect(model.status == .idle && model.outcome == .none && model.hint == NetworkHint())
        chat.open()
        try await wait(for: model) { $0.status == .open(Generation(1)) && $0.outcome == .succeeded }
        chat.report(.ended(.reset))
        try await wait(for: model) { $0.outcome == .failed(.interrupted) }
        try await wait(for: model) { if case .waiting = $0.status { true } else { false } }
        #expect(model.banner == .requestFailed || model.hint.state == .unknown)
    }

    // P2, P10, P12
    @Test func `has the banner of path and outcome, and believes a success`() async throws {
        let chat = try Chat()
        let (path, report) = pathReporting(on: chat.loop)
        let model = ConnectionModel(of: chat.connection, on: path)
        #expect(model.banner == .pathUnknown)
        report(PathUpdate(.unavailable))
        try await wait(for: model) { $0.banner == .pathUnavailable }
        chat.open()
        try await wait(for: model) { $0.banner == .pathContradicted }
        // What it costs is no other path.
        report(PathUpdate(.unavailable, expensive: true))
        try await wait(for: model) { $0.hint.expensive }
        #expect(model.banner == .pathContradicted)
        report(PathUpdate(.available))
        try await wait(for: model) { $0.banner == .none }
        report(PathUpdate(.unavailable))
        try await wait(for: model) { $0.banner == .pathUnavailable }
    }

    // P10, P12
    @Test func `believes a success on, whatever else is said of the path it contradicts`()
        async throws
    {
        let chat = try Chat()
        let (path, report) = pathReporting(on: chat.loop)
        let model = ConnectionModel(of: chat.connection, on: path)
        report(PathUpdate(.unavailable, change: 1, reason: .wifiDenied))
        try await wait(for: model) { $0.banner == .pathUnavailable }
        chat.open()
        try await wait(for: model) { $0.banner == .pathContradicted }
        report(PathUpdate(.unavailable, expensive: true, change: 1, reason: .wifiDenied))
        try await wait(for: model) { $0.hint.expensive }
        #expect(model.banner == .pathContradicted)
        report(PathUpdate(.unavailable, expensive: true, change: 1, reason: .cellularDenied))
        try await wait(for: model) { $0.hint.reason == .cellularDenied }
        #expect(model.banner == .pathContradicted)
        report(PathUpdate(.unavailable, expensive: true, change: 2, reason: .cellularDenied))
        try await wait(for: model) { $0.hint.newest.change == 2 }
        #expect(model.banner == .pathUnavailable)
    }

    // P8
    @Test func `shows the newest of many, in order`() async throws {
        let chat = try Chat()
        let (path, report) = pathReporting(on: chat.loop)
        let model = ConnectionModel(of: chat.connection, on: path)
        for _ in 0..<100 {
            report(PathUpdate(.available))
            report(PathUpdate(.needsConnection))
        }
        try await wait(for: model) { $0.hint.state == .needsConnection }
        #expect(model.hint == path.hint)
    }

    @Test func `keeps neither its connection nor its path, and goes when nobody holds it`() throws {
        var chat: Chat? = try Chat()
        weak let connection = chat?.connection
        var model: ConnectionModel? = try ConnectionModel(of: #require(chat).connection)
        weak let shown = model
        chat = nil
        #expect(connection == nil)
        #expect(model?.status == .idle)
        model = nil
        #expect(shown == nil)
    }
}
