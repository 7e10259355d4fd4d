import BelayTesting
import BelayTransport
import Testing

@Suite struct `An answer` {
    @Test func `is there for who asks later`() async {
        let answer = Answer<Int>()
        #expect(answer.give(1))
        #expect(await answer.value() == 1)
    }

    @Test func `wakes who asked before`() async {
        let loop = ManualLoop()
        let answer = Answer<Int>()
        let asking = Task(executorPreference: loop) { await answer.value() }
        loop.run()
        answer.give(2)
        loop.run()
        #expect(await asking.value == 2)
    }

    @Test func `is the first that was given`() async {
        let answer = Answer<Int>()
        #expect(answer.give(1))
        #expect(!answer.give(2))
        #expect(await answer.value() == 1)
    }

    @Test func `is the fallback for a task that was cancelled`() async {
        let loop = ManualLoop()
        let answer = Answer<Int>()
        let asking = Task(executorPreference: loop) { await answer.value(ifCancelled: 0) }
        loop.run()
        asking.cancel()
        loop.run()
        #expect(await asking.value == 0)
        #expect(!answer.give(1))
    }

    @Test func `of a call comes from the domain's own turn`() async {
        let loop = ManualLoop()
        let asking = Task(executorPreference: loop) {
            await loop.call { loop.isIsolatingCurrentContext() }
        }
        loop.run()
        #expect(await asking.value == true)
    }
}
