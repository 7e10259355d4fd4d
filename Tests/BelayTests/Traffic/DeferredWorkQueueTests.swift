import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

/// A queue on a path that a test makes report, in virtual time.
private final class World: Sendable {
    let loop = ManualLoop()
    let observer: ScriptedPathObserver
    let path: NetworkPath
    let begun = Mutex<[String]>([])
    private let held: Mutex<DeferredWorkQueue<String>?>

    init(_ policy: TrafficPolicy = TrafficPolicy(longestDeferral: 60_000)) {
        observer = ScriptedPathObserver(domain: loop)
        path = NetworkPath(observer: observer)
        held = Mutex(nil)
        let queue = DeferredWorkQueue<String>(on: path, policy: policy) { [weak self] operation in
            self?.begun.withLock { $0.append(operation) }
        }
        held.withLock { $0 = queue }
    }

    var started: [String] { begun.withLock { $0 } }
    var queue: DeferredWorkQueue<String>? { held.withLock { $0 } }
    var reasons: [Deferral]? { queue?.waiting.map(\.deferral) }

    func drop() {
        held.withLock { $0 = nil }
        loop.run()
    }

    func watch() {
        path.restart()
        loop.run()
    }

    func submit(_ operations: String..., as kind: WorkKind = .maintenance) {
        for operation in operations { queue?.submit(operation, as: kind) }
        loop.run()
    }

    func report(_ update: PathUpdate, on index: Int? = nil) {
        let observations = observer.observations
        observations[index ?? observations.count - 1].report(update)
        loop.run()
    }
}

@Suite struct `A queue of deferred work` {
    private static let dear = PathUpdate(.available, expensive: true, constrained: false)
    private static let cheap = PathUpdate(.available, expensive: false, constrained: false)

    // P10, P11
    @Test func `begins work in its order once the path costs less, each once`() {
        let world = World()
        world.watch()
        world.report(Self.dear)
        world.submit("backup", "update", "backup")
        #expect(world.started == [])
        #expect(world.queue?.waiting.map(\.operation) == ["backup", "update"])
        #expect(world.reasons == [.expensive, .expensive])
        world.report(Self.cheap)
        #expect(world.started == ["backup", "update"])
        #expect(world.reasons == [])
        world.report(Self.dear)
        world.report(Self.cheap)
        #expect(world.started.count == 2)
        #expect(world.loop.armedTimers == 0)
    }

    // P11
    @Test(arguments: PathState.allCases)
    func `never puts off what a person asked for, whatever the path`(_ state: PathState) {
        let world = World()
        world.submit("before", as: .requested)
        world.watch()
        world.submit("unreported", as: .requested)
        world.report(PathUpdate(state, expensive: true, constrained: true))
        world.submit("after", as: .requested)
        #expect(world.started == ["before", "unreported", "after"])
    }

    // P11
    @Test(arguments: [PathState.available, .needsConnection, .unavailable])
    func `looks at cost only, never at whether there is a path`(_ state: PathState) {
        let world = World()
        world.watch()
        world.report(Self.cheap)
        world.report(PathUpdate(state))
        world.submit("backup")
        #expect(world.started == ["backup"])
    }

    // P11
    @Test(arguments: [
        PathUpdate(.unavailable), PathUpdate(.unavailable, expensive: false, constrained: false),
        PathUpdate(.available), PathUpdate(.needsConnection),
    ])
    func `begins nothing in a tunnel, nor where nobody says any more what the path costs`(
        _ update: PathUpdate
    ) {
        let world = World()
        world.watch()
        world.report(Self.dear)
        world.submit("backup")
        world.report(update)
        world.loop.advance(by: 3_000)
        #expect(world.started == [] && world.reasons == [.expensive])
        world.report(Self.cheap)
        #expect(world.started == ["backup"])
    }

    // P1, P11
    @Test(arguments: [PathTrait.unknown, .yes, .no])
    func `waits for a word of cost that comes behind the first report, and not for ever`(
        _ word: PathTrait
    ) {
        let world = World()
        world.watch()
        world.submit("backup")
        world.report(PathUpdate(.available, change: 1))
        #expect(world.reasons == [.notReported])
        world.loop.advance(by: 5)
        world.report(PathUpdate(.available, expensive: word, change: 1))
        #expect(world.started == (word == .no ? ["backup"] : []))
        world.loop.advance(by: 1_995)
        #expect(world.started == (word == .yes ? [] : ["backup"]))
        #expect(world.reasons == (word == .yes ? [.expensive] : []))
    }

    // P1, P11
    @Test func `waits for a slow observer's first report, and then by what it says`() {
        let world = World()
        world.watch()
        world.submit("backup")
        #expect(world.reasons == [.notReported])
        world.loop.advance(by: 1_999)
        world.report(Self.dear)
        #expect(world.reasons == [.expensive])
        world.loop.advance(by: 57_000)
        #expect(world.started == [])
        world.report(Self.cheap)
        #expect(world.started == ["backup"])
    }

    // P1, P11
    @Test(arguments: [true, false])
    func `does not wait for ever for a hint that never comes`(_ isObserved: Bool) {
        let world = World()
        if isObserved { world.watch() }
        world.submit("backup")
        world.loop.advance(by: 1_999)
        #expect(world.started == [])
        world.loop.advance(by: 1)
        #expect(world.started == ["backup"])
        #expect(world.loop.armedTimers == 0)
    }

    // P4, P11
    @Test func `begins nothing in the moment in which a new observation has not reported`() {
        let world = World()
        world.watch()
        world.report(Self.dear)
        world.submit("backup")
        world.path.enterBackground()
        world.loop.run()
        world.path.enterForeground()
        world.loop.run()
        #expect(world.path.hint.state == .unknown && !world.path.hint.expensive)
        world.submit("update")
        #expect(world.started == [])
        #expect(world.reasons == [.expensive, .expensive])
        world.report(Self.cheap, on: 0)
        #expect(world.started == [])
        world.report(Self.cheap)
        #expect(world.started == ["backup", "update"])
    }

    // P11
    @Test func `does work all the same when its wait is over, also where the path is gone`() {
        let world = World()
        world.watch()
        world.report(Self.dear)
        world.submit("backup")
        world.path.stop()
        world.loop.advance(by: 59_999)
        #expect(world.started == [])
        world.loop.advance(by: 1)
        #expect(world.started == ["backup"])
    }

    @Test func `begins nothing that was withdrawn, and nothing once it is let go`() {
        let world = World()
        world.watch()
        world.report(Self.dear)
        world.submit("backup", "update")
        world.queue?.withdraw("backup")
        world.loop.run()
        #expect(world.queue?.waiting.map(\.operation) == ["update"])
        world.drop()
        #expect(world.loop.armedTimers == 0)
        world.report(Self.cheap)
        #expect(world.started == [])
    }
}
