import BelayTesting
import Synchronization
import Testing

@testable import Belay

@Suite struct `A delivery queue` {
    /// A queue of text, a reader in virtual time, and how often the reader said that it drained.
    private final class Line: Sendable {
        let loop = ManualLoop()
        let queue: DeliveryQueue<String>
        private let taken = Mutex<[String?]>([])
        private let drains = Mutex(0)

        init(elements: Int = 4, bytes: Int = 100) {
            queue = DeliveryQueue(limit: DeliveryLimit(elements: elements, bytes: bytes))
        }

        var read: [String?] { taken.withLock { $0 } }
        var drained: Int { drains.withLock { $0 } }

        @discardableResult
        func push(_ elements: String..., weight: Int = 1) -> [DeliveryPace] {
            elements.map { queue.push($0, weight: weight) }
        }

        /// Takes `count` elements, or waits for them.
        @discardableResult
        func take(_ count: Int = 1) -> Task<Void, Never> {
            let task = Task(executorPreference: loop) { [self] in
                for _ in 0..<count {
                    let element = await queue.next { drains.withLock { $0 += 1 } }
                    taken.withLock { $0.append(element) }
                }
            }
            loop.run()
            return task
        }
    }

    @Test func `gives what it was given, in order`() {
        let line = Line()
        line.push("a", "b")
        line.take()
        line.push("c")
        line.take(2)
        #expect(line.read == ["a", "b", "c"])
    }

    @Test func `wakes a reader that waits`() {
        let line = Line()
        line.take(2)
        #expect(line.read.isEmpty)
        line.push("a")
        line.loop.run()
        #expect(line.read == ["a"])
        line.push("b")
        line.loop.run()
        #expect(line.read == ["a", "b"])
    }

    // E12
    @Test func `is full at its limit of elements, and drained once at half of it`() {
        let line = Line(elements: 4)
        #expect(line.push("a", "b", "c", "d", "e") == [.flowing, .flowing, .flowing, .full, .full])
        line.take(2)
        #expect(line.drained == 0)
        #expect(line.queue.isFull)
        line.take(1)
        #expect(line.drained == 1)
        #expect(!line.queue.isFull)
        line.take(2)
        #expect(line.drained == 1)
    }

    // E12
    @Test func `is full at its limit of bytes, whatever their number`() {
        let line = Line(bytes: 100)
        #expect(line.push("a", weight: 99) == [.flowing])
        #expect(line.push("b", weight: 1) == [.full])
        line.take()
        #expect(line.drained == 1)
    }

    @Test func `stays full until it is drained, though it is below its limit`() {
        let line = Line(elements: 4)
        line.push("a", "b", "c", "d")
        line.take()
        #expect(line.push("e") == [.full])
    }

    @Test func `is full again after it was drained`() {
        let line = Line(elements: 2)
        line.push("a", "b")
        line.take(2)
        #expect(line.push("c", "d") == [.flowing, .full])
        line.take(2)
        #expect(line.drained == 2)
    }

    @Test(arguments: [Int.min, -1, 0, 1])
    func `raises a limit below its range, so that it can drain`(limit: Int) {
        let line = Line(elements: limit, bytes: limit)
        line.push("a", "b", weight: 0)
        line.take(2)
        line.push("c", weight: 9)
        line.take()
        #expect(line.read == ["a", "b", "c"])
        #expect(!line.queue.isFull)
    }

    @Test func `gives what is queued when it is finished, then nothing`() {
        let line = Line()
        line.push("a")
        line.queue.finish()
        line.push("late")
        line.take(3)
        #expect(line.read == ["a", nil, nil])
    }

    @Test func `lets a waiting reader end when it is finished`() {
        let line = Line()
        line.take()
        line.queue.finish()
        line.loop.run()
        #expect(line.read == [nil])
    }

    // E15
    @Test func `lets a cancelled reader end, waiting or not`() {
        let line = Line()
        let waiting = line.take()
        waiting.cancel()
        line.loop.run()
        #expect(line.read == [nil])
        line.push("kept")
        line.take()
        #expect(line.read == [nil, "kept"])
    }

    @Test func `begins empty for the next reader, and takes nothing in between`() {
        let line = Line(elements: 2)
        line.push("old", "old")
        line.queue.end()
        #expect(line.push("between") == [.flowing])
        line.queue.begin()
        #expect(!line.queue.isFull)
        line.push("new")
        line.take()
        #expect(line.read == ["new"])
    }

    @Test func `lets go of an element when it is taken`() async {
        final class Payload: Sendable {}
        let queue = DeliveryQueue<Payload>(limit: DeliveryLimit())
        func push() -> () -> Payload? {
            let payload = Payload()
            _ = queue.push(payload, weight: 1)
            return { [weak payload] in payload }
        }
        let first = push()
        for _ in 0..<8 { _ = push() }
        #expect(first() != nil)
        _ = await queue.next {}
        #expect(first() == nil)
    }

    @Test func `takes the newest back only while it is full`() {
        let line = Line(elements: 3)
        line.push("a", "b")
        line.queue.retractIfFull { _, _ in 1 }
        line.push("c")
        line.queue.retractIfFull { newest, before in
            #expect(newest == "c")
            #expect(before == "b")
            return 2
        }
        line.push("d")
        line.take(2)
        #expect(line.read == ["a", "d"])
        #expect(line.drained == 1)
    }

    @Test func `takes back no more than there is, and nothing that was taken`() {
        let line = Line(bytes: 100)
        line.push("a", weight: 100)
        line.push("b", weight: 60)
        line.take()
        line.queue.retractIfFull { newest, before in
            #expect(newest == "b")
            #expect(before == nil)
            return 2
        }
        line.push("c")
        line.take()
        #expect(line.read == ["a", "c"])
    }

    @Test func `is read by one task at a time`() async {
        await #expect(processExitsWith: .failure) {
            let loop = ManualLoop()
            let queue = DeliveryQueue<String>(limit: DeliveryLimit())
            let readers = (0..<2).map { _ in
                Task(executorPreference: loop) { await queue.next {} }
            }
            loop.run()
            _ = readers
        }
    }

    @Test func `keeps its order between two threads, at every pace`() async {
        let queue = DeliveryQueue<Int>(limit: DeliveryLimit(elements: 8))
        let (pulses, pulse) = AsyncStream.makeStream(of: Void.self)
        async let sum: Int = {
            var expected = 0
            while let element = await queue.next(drained: { pulse.yield() }) {
                #expect(element == expected)
                expected += 1
            }
            return expected
        }()
        var pulsed = pulses.makeAsyncIterator()
        for element in 0..<20_000 where queue.push(element, weight: 1) == .full {
            await pulsed.next()
        }
        queue.finish()
        #expect(await sum == 20_000)
    }
}
