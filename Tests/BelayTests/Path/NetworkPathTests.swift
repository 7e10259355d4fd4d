import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

/// A path, its scripted observer, and what its readers and receivers see.
private final class World: Sendable {
    final class Receiver: PathHintReceiver {
        private let told = Mutex<[PathState]>([])
        var states: [PathState] { told.withLock { $0 } }
        func pathChanged(_ state: PathState) { told.withLock { $0.append(state) } }
    }

    let loop = ManualLoop()
    let observer: ScriptedPathObserver
    let records = Records()
    private let held: Mutex<NetworkPath?>
    private let seen = Mutex<[PathState]>([])

    init() {
        observer = ScriptedPathObserver(domain: loop)
        held = Mutex(nil)
        let path = NetworkPath(observer: observer, evidence: { [records] in records.take($0) })
        held.withLock { $0 = path }
    }

    var path: NetworkPath? { held.withLock { $0 } }
    var hint: NetworkHint? { path?.hint }
    var seenStates: [PathState] { seen.withLock { $0 } }

    func drop() {
        held.withLock { $0 = nil }
        loop.run()
    }

    func restart() {
        path?.restart()
        loop.run()
    }

    func report(_ updates: PathUpdate..., on index: Int? = nil) {
        let observations = observer.observations
        for update in updates { observations[index ?? observations.count - 1].report(update) }
        loop.run()
    }

    func inform(_ receiver: Receiver) {
        path?.inform(receiver)
        loop.run()
    }

    func watch() -> Task<Void, Never>? {
        guard let hints = path?.hints else { return nil }
        let task = Task(executorPreference: loop) { [self] in
            for await hint in hints { seen.withLock { $0.append(hint.state) } }
        }
        loop.run()
        return task
    }
}

@Suite struct `A network path` {
    // P1, P10
    @Test func `is unknown before the present observation reports`() {
        let world = World()
        #expect(world.hint?.state == .unknown)
        #expect(world.observer.observations.isEmpty)
        world.restart()
        #expect(world.hint?.state == .unknown)
        world.report(PathUpdate(.available))
        #expect(world.hint?.state == .available)
        world.restart()
        #expect(world.hint?.state == .unknown)
    }

    // P7
    @Test func `raises the number, cancels the old observation and begins a new one`() {
        let world = World()
        world.restart()
        world.restart()
        let observations = world.observer.observations
        #expect(observations.map(\.generation) == [Generation(1), Generation(2)])
        #expect(observations.map(\.isCancelled) == [true, false])
    }

    // P4, P10
    @Test func `takes nothing over from an old observation, flags included`() {
        let world = World()
        world.restart()
        world.report(PathUpdate(.available))
        world.restart()
        world.report(PathUpdate(.unavailable, expensive: true, constrained: true), on: 0)
        #expect(world.hint?.state == .unknown)
        #expect(world.hint?.expensive == false)
        #expect(world.hint?.constrained == false)
        #expect(world.records.path.map(\.verdict) == [.accepted, .stale])
    }

    // P5, P4
    @Test func `goes through the states and flags it is told, in order`() throws {
        let world = World()
        world.restart()
        world.report(PathUpdate(.needsConnection, expensive: true))
        #expect(world.hint?.expensive == true)
        world.report(PathUpdate(.available, constrained: true))
        let hint = try #require(world.hint)
        #expect(hint.state == .available)
        #expect(!hint.expensive)
        #expect(hint.constrained)
    }

    // P8
    @Test func `is published in the order of what happened, never an older one after a newer`() {
        let world = World()
        let watching = world.watch()
        world.restart()
        world.report(PathUpdate(.available))
        world.report(PathUpdate(.unavailable))
        world.report(PathUpdate(.available), PathUpdate(.needsConnection))
        #expect(
            world.seenStates == [.unknown, .unknown, .available, .unavailable, .needsConnection])
        watching?.cancel()
    }

    // P10
    @Test func `passes a repeated report on to nobody`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.restart()
        let watching = world.watch()
        for _ in 0..<3 { world.report(PathUpdate(.available)) }
        #expect(receiver.states == [.available])
        #expect(world.seenStates == [.unknown, .available])
        #expect(world.records.path.map(\.verdict) == [.accepted, .duplicate, .duplicate])
        watching?.cancel()
    }

    // P10, P11
    @Test func `tells its receivers no change of cost, and its readers every one`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.restart()
        world.report(PathUpdate(.available))
        world.report(PathUpdate(.available, expensive: true))
        world.report(PathUpdate(.available, expensive: true, constrained: true))
        #expect(receiver.states == [.available])
        #expect(world.hint?.constrained == true)
    }

    // P6, P10
    @Test func `passes a change on that shows in nothing, once`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.restart()
        let watching = world.watch()
        world.report(PathUpdate(.available, change: 1))
        world.report(PathUpdate(.available, change: 2), PathUpdate(.available, change: 2))
        #expect(receiver.states == [.available, .available])
        #expect(world.seenStates == [.unknown, .available, .available])
        #expect(world.hint?.newest.change == 2)
        watching?.cancel()
    }

    // P10, P11
    @Test func `tells its receivers of another path that costs something, and of no cost alone`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.restart()
        // On Linux, NetworkManager's word comes behind the first look, and may go again.
        let costs: [PathTrait] = [.unknown, .no, .yes, .unknown, .yes]
        for cost in costs {
            world.report(PathUpdate(.available, expensive: cost, change: 1))
            #expect(world.hint?.newest.expensive == cost)
        }
        world.report(PathUpdate(.available, expensive: false, constrained: true, change: 1))
        #expect(receiver.states == [.available])
        world.report(PathUpdate(.available, expensive: true, change: 2))
        #expect(receiver.states == [.available, .available])
    }

    // P4
    @Test func `takes back what it told, where a new observation begins or none runs`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.restart()
        world.restart()
        #expect(receiver.states == [])
        world.report(PathUpdate(.unavailable))
        world.restart()
        world.report(PathUpdate(.available))
        world.path?.stop()
        world.loop.run()
        #expect(receiver.states == [.unavailable, .unknown, .available, .unknown])
    }

    @Test func `tells a receiver at once what it knows`() {
        let world = World()
        world.restart()
        let early = World.Receiver()
        world.inform(early)
        world.report(PathUpdate(.needsConnection))
        let late = World.Receiver()
        world.inform(late)
        // Told again it would take it for a change.
        world.inform(late)
        #expect(early.states == [.needsConnection])
        #expect(late.states == [.needsConnection])
    }

    // P10, P11
    @Test func `tells its receivers nothing of another reason, and its readers at once`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.restart()
        // As PathWatchMachineTests has them of the kernel: an address comes, and no route.
        world.report(PathUpdate(.unavailable, change: 1, reason: .noCarrier))
        world.report(PathUpdate(.needsConnection, change: 2, reason: .noAddress))
        world.report(PathUpdate(.needsConnection, change: 2, reason: .noRoute))
        #expect(receiver.states == [.unavailable, .needsConnection])
        #expect(world.hint?.reason == .noRoute)
    }

    // P10
    @Test func `tells a receiver once, however often it was named`() {
        let world = World()
        let receiver = World.Receiver()
        world.inform(receiver)
        world.inform(receiver)
        world.restart()
        world.report(PathUpdate(.available))
        #expect(receiver.states == [.available])
    }

    @Test func `keeps no receiver alive`() {
        let world = World()
        weak var gone: World.Receiver?
        func inform() {
            let receiver = World.Receiver()
            gone = receiver
            world.inform(receiver)
        }
        inform()
        #expect(gone == nil)
        world.restart()
        world.report(PathUpdate(.available))
        #expect(world.hint?.state == .available)
    }

    // P7
    @Test func `is unknown again once it is stopped, whatever is under way`() {
        let world = World()
        world.restart()
        world.report(PathUpdate(.available))
        world.path?.stop()
        world.report(PathUpdate(.unavailable), on: 0)
        #expect(world.observer.observations[0].isCancelled)
        #expect(world.hint?.state == .unknown)
        #expect(world.records.path.map(\.verdict) == [.accepted, .stale])
    }

    @Test func `ends its observation and its readers when nobody holds it`() async {
        let world = World()
        world.restart()
        let watching = world.watch()
        world.drop()
        #expect(world.observer.observations[0].isCancelled)
        await watching?.value
        world.report(PathUpdate(.available))
        #expect(world.seenStates == [.unknown, .unknown])
    }

    // C6 of the field's reports, P3
    @Test func `shortens a connection's wait, and makes it doubt itself`() throws {
        let world = World()
        let transport = ScriptedWebSocketTransport(domain: world.loop)
        let chat = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1/"), transport: transport,
            generator: SeededGenerator(seed: 3))
        world.path?.inform(chat)
        world.restart()
        let reader = Task(executorPreference: world.loop) { for await _ in chat.events {} }
        world.loop.run()
        transport.channels[0].report(.opened(subprotocol: nil))
        world.report(PathUpdate(.available))
        world.report(PathUpdate(.unavailable))
        #expect(transport.channels[0].pings == [1])
        reader.cancel()
    }
}
