import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import Belay

/// A path and a connection that it informs, on one loop.
private final class App: Sendable {
    let chat: Chat
    let observer: ScriptedPathObserver
    let path: NetworkPath
    let records = Records()
    private let seen = Mutex<[NetworkHint]>([])

    init() throws {
        chat = try Chat()
        observer = ScriptedPathObserver(domain: chat.loop)
        path = NetworkPath(observer: observer, evidence: { [records] in records.take($0) })
        path.inform(chat.connection)
        path.restart()
        chat.open()
    }

    var loop: ManualLoop { chat.loop }
    var pings: Int { chat.channels[0].pings.count }
    var seenStates: [PathState] { seen.withLock { $0.map(\.state) } }

    func report(_ update: PathUpdate, on index: Int? = nil) {
        let observations = observer.observations
        observations[index ?? observations.count - 1].report(update)
        loop.run()
    }

    func leave() {
        path.enterBackground()
        loop.run()
    }

    func comeBack() {
        path.enterForeground()
        loop.run()
    }

    func watch() -> Task<Void, Never> {
        let task = Task(executorPreference: loop) { [self] in
            for await hint in path.hints { seen.withLock { $0.append(hint) } }
        }
        loop.run()
        return task
    }
}

/// Writes down what it is told, and what the path says at that moment.
private final class Witness: PathHintReceiver {
    enum News: Hashable {
        case changed(PathState)
        case left, back
    }

    private let path: NetworkPath
    private let told = Mutex<[(News, NetworkHint)]>([])

    init(of path: NetworkPath) { self.path = path }

    var news: [News] { told.withLock { $0.map(\.0) } }
    var hints: [NetworkHint] { told.withLock { $0.map(\.1) } }

    func pathChanged(_ state: PathState) { note(.changed(state)) }
    func enterBackground() { note(.left) }
    func enterForeground() { note(.back) }
    private func note(_ news: News) { told.withLock { $0.append((news, path.hint)) } }
}

@Suite struct `A path in the life of an app` {
    // P1, P4
    @Test func `is unknown until a fresh report, and tells connections after that`() throws {
        let app = try App()
        let witness = Witness(of: app.path)
        app.path.inform(witness)
        app.report(PathUpdate(.unavailable, expensive: true, reason: .noCarrier))
        app.leave()
        app.comeBack()
        #expect(witness.news == [.changed(.unavailable), .changed(.unknown), .left, .back])
        let back = try #require(witness.hints.last)
        #expect(back.state == .unknown && !back.expensive && back.reason == nil)
        #expect(back.generation == Generation(3))
        #expect(app.path.hint == back)
        app.report(PathUpdate(.available))
        #expect(witness.news.last == .changed(.available))
        #expect(app.path.hint.state == .available)
    }

    // W23
    @Test func `has its connections leave and come back by one call`() throws {
        let app = try App()
        app.leave()
        app.loop.advance(by: 600_000)
        #expect(app.pings == 0)
        app.comeBack()
        #expect(app.pings == 1)
        app.chat.report(.pong(1))
        app.loop.advance(by: 50)
        #expect(app.chat.connection.status == .open(Generation(1)))
        app.leave()
        app.comeBack()
        app.loop.advance(by: 3_000)
        #expect(app.chat.events.last == .closed(Generation(1), .heartbeatTimedOut))
    }

    // P3
    @Test func `has a lost connection opened again, whatever is known`() throws {
        let app = try App()
        app.leave()
        app.chat.report(.ended(.reset))
        app.loop.advance(by: 600_000)
        #expect(app.chat.channels.count == 1)
        app.comeBack()
        #expect(app.path.hint.state == .unknown)
        #expect(app.chat.channels.count == 2)
    }

    // W23
    @Test func `has its connections asked also where nobody said that the app was away`() throws {
        let app = try App()
        app.report(PathUpdate(.available))
        app.comeBack()
        #expect(app.pings == 1)
        #expect(app.observer.observations.count == 2)
    }

    @Test func `is observed anew only when the app is back, whatever is asked before`() throws {
        let app = try App()
        app.leave()
        app.path.restart()
        app.loop.run()
        #expect(app.observer.observations.count == 1)
        app.comeBack()
        #expect(app.observer.observations.count == 2)
    }

    @Test func `is not observed in the background`() throws {
        let app = try App()
        app.report(PathUpdate(.available))
        app.leave()
        #expect(app.observer.observations.map(\.isCancelled) == [true])
        #expect(app.path.hint.state == .unknown)
        app.comeBack()
        #expect(app.observer.observations.map(\.isCancelled) == [true, false])
    }

    /// When a report of the old observation comes, that was under way while the app was suspended.
    enum Lateness: CaseIterable {
        case inBackground, beforeFreshReport, afterFreshReport
    }

    // P4, P7
    @Test(arguments: Lateness.allCases)
    func `heeds no report of before, whenever it comes`(_ lateness: Lateness) throws {
        let app = try App()
        let witness = Witness(of: app.path)
        app.path.inform(witness)
        app.report(PathUpdate(.available))
        let watching = app.watch()
        let old = PathUpdate(.unavailable, expensive: true, constrained: true, reason: .noAddress)
        app.leave()
        if lateness == .inBackground { app.report(old, on: 0) }
        app.comeBack()
        if lateness == .beforeFreshReport { app.report(old, on: 0) }
        #expect(app.path.hint.state == .unknown && !app.path.hint.expensive)
        app.report(PathUpdate(.needsConnection))
        if lateness == .afterFreshReport { app.report(old, on: 0) }
        #expect(app.path.hint.newest == PathUpdate(.needsConnection))
        #expect(app.path.hint.dropped == 1)
        #expect(app.records.path.filter { $0.verdict == .stale }.map(\.dropped) == [1])
        #expect(
            witness.news == [
                .changed(.available), .changed(.unknown), .left, .back,
                .changed(.needsConnection),
            ])
        #expect(app.seenStates == [.available, .unknown, .unknown, .needsConnection])
        watching.cancel()
    }

    @Test func `begins no observation where the app wants none`() throws {
        let app = try App()
        app.path.stop()
        app.leave()
        app.comeBack()
        #expect(app.observer.observations.count == 1)
        #expect(app.pings == 1)
        let observer = ScriptedPathObserver(domain: app.loop)
        let fresh = NetworkPath(observer: observer)
        fresh.enterForeground()
        app.loop.run()
        #expect(observer.observations.isEmpty)
    }

    @Test func `tells one that is informed in the background, and nobody twice`() throws {
        let app = try App()
        app.leave()
        let witness = Witness(of: app.path)
        app.path.inform(witness)
        app.loop.run()
        #expect(witness.news == [.left])
        app.leave()
        #expect(witness.news == [.left])
        app.comeBack()
        #expect(witness.news == [.left, .back])
    }
}

@Suite struct `A path after its program was stopped` {
    // P1, P4
    @Test func `is unknown again, and observed anew, once for all connections`() throws {
        let app = try App()
        let other = try Chat(loop: app.loop)
        app.path.inform(other.connection)
        other.open()
        app.report(PathUpdate(.unavailable, reason: .noCarrier))
        // The word of a missing path made both ask.
        #expect([app.pings, other.channels[0].pings.count] == [1, 1])
        app.loop.sleepThrough(600_000)
        app.loop.run()
        #expect(app.observer.observations.map(\.isCancelled) == [true, false])
        #expect(app.path.hint.state == .unknown && app.path.hint.reason == nil)
        #expect([app.pings, other.channels[0].pings.count] == [2, 2])
        app.report(PathUpdate(.unavailable), on: 0)
        #expect(app.path.hint.state == .unknown)
        app.report(PathUpdate(.available))
        #expect(app.path.hint.state == .available)
    }

    /// After a minute in which every ping was answered, the next is late by `lateness`.
    private func appAsleep(pastItsNextPing lateness: Milliseconds) throws -> App {
        let app = try App()
        app.report(PathUpdate(.available))
        app.chat.live(for: 60_000)
        let pings = app.pings
        app.loop.advance(by: 99)
        #expect(app.pings == pings)
        app.loop.sleepThrough(1 + lateness)
        app.loop.run()
        #expect(app.pings == pings + 1)
        return app
    }

    @Test(arguments: [0, 900, 1_000] as [Milliseconds])
    func `goes on where timers fire in time, or a little late`(_ lateness: Milliseconds) throws {
        let app = try appAsleep(pastItsNextPing: lateness)
        #expect(app.observer.observations.count == 1)
        #expect(app.path.hint.state == .available)
    }

    @Test func `is observed anew where a timer fires later than that`() throws {
        let app = try appAsleep(pastItsNextPing: 1_001)
        #expect(app.observer.observations.map(\.isCancelled) == [true, false])
        #expect(app.path.hint.state == .unknown)
    }

    // W23
    @Test func `is left alone in the background, and where nobody observes it`() throws {
        let app = try App()
        app.leave()
        app.loop.sleepThrough(600_000)
        app.loop.run()
        #expect(app.observer.observations.count == 1)
        app.comeBack()
        app.chat.report(.pong(UInt32(app.pings)))
        app.path.stop()
        app.loop.run()
        app.loop.sleepThrough(600_000)
        app.loop.run()
        #expect(app.observer.observations.count == 2)
    }

    @Test func `hears it from an event stream, too`() throws {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .after(.seconds(30))
        let feed = try Feed(configuration: configuration)
        let observer = ScriptedPathObserver(domain: feed.loop)
        let path = NetworkPath(observer: observer)
        path.inform(feed.source)
        path.restart()
        let processing = feed.process()
        feed.open()
        feed.loop.sleepThrough(600_000)
        feed.loop.run()
        #expect(observer.observations.count == 2)
        processing.cancel()
    }
}
