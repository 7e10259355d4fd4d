import BelayTesting
import Synchronization
import Testing

@testable import Belay

@Suite struct `The latest value` {
    private final class Observers: Sendable {
        let loop = ManualLoop()
        let latest = Latest(0)
        private let seen = Mutex<[[Int]]>([])
        private let ended = Mutex<Set<Int>>([])

        func seen(by observer: Int = 0) -> [Int] { seen.withLock { $0[observer] } }
        func hasEnded(_ observer: Int = 0) -> Bool { ended.withLock { $0.contains(observer) } }

        @discardableResult
        func observe() -> Task<Void, Never> {
            let number = seen.withLock { seen in
                seen.append([])
                return seen.count - 1
            }
            let task = Task(executorPreference: loop) { [self] in
                for await value in LatestValues(source: latest) {
                    seen.withLock { $0[number].append(value) }
                }
                ended.withLock { _ = $0.insert(number) }
            }
            loop.run()
            return task
        }
    }

    @Test func `is what an observer sees first`() {
        let observers = Observers()
        observers.latest.publish(7)
        observers.observe()
        #expect(observers.seen() == [7])
    }

    // P8
    @Test func `reaches every observer in order, a slow one with gaps`() {
        let observers = Observers()
        observers.observe()
        for value in 1...3 {
            observers.latest.publish(value)
            observers.loop.run()
        }
        observers.observe()
        for value in 4...6 { observers.latest.publish(value) }
        observers.loop.run()
        #expect(observers.seen(by: 0) == [0, 1, 2, 3, 6])
        #expect(observers.seen(by: 1) == [3, 6])
        #expect(observers.latest.value == 6)
    }

    @Test func `is amended without waking anybody`() {
        let observers = Observers()
        observers.observe()
        observers.latest.amend(7)
        observers.loop.run()
        #expect(observers.seen() == [0])
        #expect(observers.latest.value == 7)
        observers.latest.publish(8)
        observers.loop.run()
        #expect(observers.seen() == [0, 8])
    }

    @Test func `ends its observers behind the newest value`() {
        let observers = Observers()
        observers.observe()
        observers.latest.publish(1)
        observers.latest.finish()
        observers.loop.run()
        observers.observe()
        #expect(observers.seen(by: 0) == [0, 1])
        #expect(observers.seen(by: 1) == [1])
        #expect(observers.hasEnded(0))
        #expect(observers.hasEnded(1))
    }

    @Test func `lets a cancelled observer go, and no other one`() {
        let observers = Observers()
        let first = observers.observe()
        observers.observe()
        first.cancel()
        observers.loop.run()
        #expect(observers.hasEnded(0))
        observers.latest.publish(1)
        observers.loop.run()
        #expect(observers.seen(by: 0) == [0])
        #expect(observers.seen(by: 1) == [0, 1])
    }

    @Test func `wakes both tasks that wait after the same version`() async {
        let loop = ManualLoop()
        let latest = Latest(0)
        // As the copies of one iterator do.
        let first = Task(executorPreference: loop) { await latest.next(after: 1)?.1 }
        let second = Task(executorPreference: loop) { await latest.next(after: 1)?.1 }
        loop.run()
        latest.publish(5)
        loop.run()
        #expect(await first.value == 5)
        #expect(await second.value == 5)
    }

    @Test func `never goes back between threads`() async {
        let latest = Latest(0)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    var newest = -1
                    for await value in LatestValues(source: latest) {
                        #expect(value > newest)
                        newest = value
                    }
                    #expect(newest == 5_000)
                }
            }
            for value in 1...5_000 {
                latest.publish(value)
                if value.isMultiple(of: 100) { await Task.yield() }
            }
            latest.finish()
        }
    }
}

/// Reads on its own actor, as a main actor's view does.
private actor Observer {
    private let loop: ManualLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }
    private(set) var seen: [Int] = []
    private var task: Task<Void, Never>?

    init(_ loop: ManualLoop) {
        self.loop = loop
    }

    func observe(_ latest: Latest<Int>) {
        task = Task {
            for await value in LatestValues(source: latest) {
                seen.append(value)
                guard value < 3 else { break }
                latest.publish(value + 1)
            }
        }
    }
}

@Suite struct `An observer on an actor` {
    // A hop an element costs more than all else, and would end on another thread than this one.
    @Test func `takes each value without leaving it`() {
        let loop = ManualLoop()
        let observer = Observer(loop)
        loop.submit { observer.assumeIsolated { $0.observe(Latest(0)) } }
        loop.run()
        loop.submit { observer.assumeIsolated { #expect($0.seen == [0, 1, 2, 3]) } }
        loop.run()
    }
}
