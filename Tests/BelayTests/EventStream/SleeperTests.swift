import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import Belay

@Suite struct `A sleeper` {
    private func sleep(
        _ length: Milliseconds, of sleeper: Sleeper, on loop: ManualLoop
    ) -> Task<Milliseconds, Never> {
        let task = Task(executorPreference: loop) {
            await sleeper.sleep(for: length) { false }
            return loop.now
        }
        loop.run()
        return task
    }

    @Test func `wakes at its moment, not before`() async {
        let loop = ManualLoop(now: 5)
        let sleep = sleep(1_000, of: Sleeper(loop), on: loop)
        loop.advance(by: 999)
        #expect(loop.armedTimers == 1)
        loop.advance(by: 1)
        #expect(await sleep.value == 1_005)
        #expect(loop.armedTimers == 0)
    }

    @Test(arguments: [0, -1] as [Milliseconds])
    func `does not sleep where there is nothing to wait for`(length: Milliseconds) async {
        let loop = ManualLoop()
        #expect(await sleep(length, of: Sleeper(loop), on: loop).value == 0)
    }

    // E15
    @Test func `wakes for a cancelled task, and leaves no timer`() async {
        let loop = ManualLoop()
        let sleep = sleep(1_000, of: Sleeper(loop), on: loop)
        sleep.cancel()
        loop.run()
        #expect(await sleep.value == 0)
        #expect(loop.armedTimers == 0)
    }

    // E15
    @Test func `does not sleep for a task that is cancelled already`() async {
        let loop = ManualLoop()
        let sleeper = Sleeper(loop)
        let sleep = Task(executorPreference: loop) { await sleeper.sleep(for: 1_000) { false } }
        sleep.cancel()
        loop.run()
        await sleep.value
        #expect(loop.armedTimers == 0)
    }

    @Test func `can be woken, and is not woken twice`() async {
        let loop = ManualLoop()
        let sleeper = Sleeper(loop)
        sleeper.interrupt()
        let first = sleep(1_000, of: sleeper, on: loop)
        loop.advance(by: 10)
        sleeper.interrupt()
        sleeper.interrupt()
        loop.run()
        #expect(await first.value == 10)
        let second = sleep(1_000, of: sleeper, on: loop)
        loop.advance(by: 1_000)
        #expect(await second.value == 1_010)
    }

    // A timer may fire once more after it was let go.
    @Test func `does not take the echo of an old timer for its own`() async {
        let domain = EchoingDomain()
        let loop = domain.loop
        let sleeper = Sleeper(domain)
        let first = sleep(10, of: sleeper, on: loop)
        loop.advance(by: 10)
        #expect(await first.value == 10)
        let second = sleep(1_000, of: sleeper, on: loop)
        domain.echo()
        loop.advance(by: 1_000)
        #expect(await second.value == 1_010)
    }
}

/// A domain whose timers fire once more when they are told to.
private final class EchoingDomain: SerialDomain {
    let loop = ManualLoop()
    private let fires = Mutex<[@Sendable () -> Void]>([])

    var executor: UnownedSerialExecutor { loop.executor }
    var now: Milliseconds { loop.now }

    func submit(_ work: @escaping @Sendable () -> Void) {
        loop.submit(work)
    }

    func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any DeadlineTimer {
        fires.withLock { $0.append(fire) }
        return loop.makeTimer(fire)
    }

    /// Every timer there ever was fires again.
    func echo() {
        for fire in fires.withLock({ $0 }) { loop.submit(fire) }
        loop.run()
    }
}
