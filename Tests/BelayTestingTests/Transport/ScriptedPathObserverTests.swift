import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `A scripted path observer` {
    // P4, P7
    @Test func `reports under the observation's generation, after its cancelling too`() {
        let loop = ManualLoop()
        let observer = ScriptedPathObserver(domain: loop)
        let reports = Mutex<[Generation]>([])
        let observation = observer.observe(
            PathSink(generation: Generation(3)) { id, _ in reports.withLock { $0.append(id) } })
        observation.cancel()
        observer.observations[0].report(PathUpdate(.available))
        #expect(reports.withLock { $0 }.isEmpty)
        loop.run()
        #expect(reports.withLock { $0 } == [Generation(3)])
        #expect(observer.observations[0].isCancelled)
        #expect(observer.observations[0].generation == Generation(3))
    }
}
