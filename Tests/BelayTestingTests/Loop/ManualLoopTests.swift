import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

/// What happened, in order, written from any isolation.
private final class Trace: Sendable {
    private let written = Mutex<[String]>([])
    var lines: [String] { written.withLock { $0 } }
    func write(_ line: String) { written.withLock { $0.append(line) } }
}

@Suite struct `A manual loop` {
    private let loop = ManualLoop()
    private let trace = Trace()

    private func timer(_ name: String, at deadline: Milliseconds?) -> any DeadlineTimer {
        let timer = loop.makeTimer { [loop, trace] in trace.write("\(name)@\(loop.now)") }
        timer.arm(at: deadline)
        return timer
    }

    // W25
    @Test func `does nothing by itself`() {
        loop.submit { [trace] in trace.write("work") }
        let timer = timer("timer", at: 0)
        #expect(trace.lines.isEmpty)
        loop.run()
        #expect(trace.lines == ["work", "timer@0"])
        _ = timer
    }

    @Test func `runs work in the order it was handed in, work of work too`() {
        loop.submit { [loop, trace] in
            trace.write("1")
            loop.submit { trace.write("3") }
        }
        loop.submit { [trace] in trace.write("2") }
        loop.run()
        #expect(trace.lines == ["1", "2", "3"])
    }

    @Test func `runs tasks that prefer it, in the order they were made`() {
        let tasks = (0..<3).map { number in
            Task(executorPreference: loop) { [trace] in trace.write("task \(number)") }
        }
        #expect(trace.lines.isEmpty)
        loop.run()
        #expect(trace.lines == ["task 0", "task 1", "task 2"])
        _ = tasks
    }

    // W3, W25
    @Test func `fires timers by deadline, equal ones in the order of arming`() {
        let timers = [
            timer("late", at: 20), timer("first", at: 10), timer("second", at: 10),
            timer("beyond", at: 31),
        ]
        loop.advance(by: 30)
        #expect(trace.lines == ["first@10", "second@10", "late@20"])
        #expect(loop.now == 30)
        #expect(loop.armedTimers == 1)
        _ = timers
    }

    @Test func `runs what a timer hands in before the next timer`() {
        let first = loop.makeTimer { [loop, trace] in
            trace.write("timer@\(loop.now)")
            loop.submit { trace.write("work@\(loop.now)") }
        }
        first.arm(at: 10)
        let second = timer("timer", at: 10)
        loop.advance(by: 10)
        #expect(trace.lines == ["timer@10", "work@10", "timer@10"])
        _ = second
    }

    @Test func `fires a timer once for each arming, at the newest deadline`() {
        let timer = timer("timer", at: 10)
        timer.arm(at: 5)
        loop.advance(by: 20)
        timer.arm(at: 30)
        timer.arm(at: nil)
        loop.advance(by: 20)
        #expect(trace.lines == ["timer@5"])
    }

    // E15
    @Test func `disarms a timer that nobody holds`() {
        do {
            let timer = timer("timer", at: 10)
            #expect(loop.armedTimers == 1)
            _ = timer
        }
        #expect(loop.armedTimers == 0)
        loop.advance(by: 20)
        #expect(trace.lines.isEmpty)
    }

    @Test func `fires at once what was armed for the past, and does not go back`() {
        loop.advance(by: 100)
        let timer = timer("timer", at: 10)
        loop.advance(to: 50)
        #expect(trace.lines == ["timer@100"])
        #expect(loop.now == 100)
        _ = timer
    }

    @Test func `comes to the end of time, not past it`() {
        loop.advance(by: 1)
        loop.advance(by: .max)
        #expect(loop.now == .max)
    }

    @Test func `lets a turn drive it further`() {
        let timer = timer("timer", at: 10)
        loop.submit { [loop, trace] in
            loop.advance(by: 10)
            trace.write("after")
        }
        loop.run()
        #expect(trace.lines == ["timer@10", "after"])
        _ = timer
    }

    @Test func `runs late what fell due while it slept through`() {
        let timer = loop.makeTimer { [loop, trace] in trace.write("timer@\(loop.now)") }
        timer.arm(at: 10)
        loop.sleepThrough(500)
        #expect(trace.lines == [] && loop.now == 500)
        loop.run()
        #expect(trace.lines == ["timer@500"])
    }

    @Test func `knows whether the caller is in its domain`() {
        #expect(loop.isIsolatingCurrentContext() == false)
        let other = ManualLoop()
        loop.submit { [loop, trace] in
            trace.write("\(loop.isIsolatingCurrentContext() == true)")
            trace.write("\(other.isIsolatingCurrentContext() == true)")
        }
        loop.run()
        #expect(trace.lines == ["true", "false"])
    }

    @Test func `stops a program that enters its domain from outside`() async {
        await #expect(processExitsWith: .failure) { ManualLoop().checkIsolated() }
    }

    // E15
    @Test func `cancels a task like any other`() async {
        let task = Task(executorPreference: loop) { Task.isCancelled }
        task.cancel()
        loop.run()
        #expect(await task.value)
    }
}
