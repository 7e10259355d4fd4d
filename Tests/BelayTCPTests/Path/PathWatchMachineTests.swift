import BelayCore
import BelayWire
import Testing

@testable import BelayTCP

@Suite struct `A watch over links and routes` {
    // P1, P6
    @Test func `looks when it starts, and marks the first report`() {
        var run = PathWatchRun(towards: .anywhere)
        let asked = run.take(.started)
        #expect(asked.first == .open)
        let all = asked + run.answerAll()
        #expect(
            all.questions == [
                .route(to: .far), .route(to: .v6(0x2001_0DB8_FFFF_0000, 1)), .links, .addresses,
            ])
        #expect(all.reports == [PathUpdate(.available, change: 1)])
    }

    @Test func `awaits nothing but a change once it has looked`() {
        let run = PathWatchRun.resting()
        #expect(run.machine.state == .resting)
        #expect(run.machine.nextDeadline == nil)
    }

    @Test func `looks once for a burst, a twentieth of a second after its begin`() {
        var run = PathWatchRun.resting()
        run.kernel.hasCarrier = false
        run.now = 1_000
        for _ in 0..<100 {
            #expect(run.take(.noticed) == [])
            run.now += 1
            if run.now >= 1_050 { break }
            #expect(run.take(.deadlineReached) == [])
        }
        run.now = 1_050
        let asked = run.take(.deadlineReached)
        #expect(asked.questions == [.route(to: .far)])
        #expect(
            run.answerAll().reports == [
                PathUpdate(.unavailable, change: 2, reason: .noCarrier)
            ])
        #expect(run.machine.looks == 2)
        #expect(run.machine.nextDeadline == nil)
    }

    @Test func `reports no look that shows the same path`() {
        var run = PathWatchRun.resting()
        for _ in 0..<10 {
            run.take(.noticed)
            run.passDeadline()
            #expect(run.answerAll().reports == [])
        }
        #expect(run.machine.looks == 11)
    }

    @Test func `reports another path that has the same state`() {
        var run = PathWatchRun.resting()
        run.kernel.link = 3
        run.take(.noticed)
        run.passDeadline()
        #expect(run.answerAll().reports == [PathUpdate(.available, change: 2)])
    }

    // P10, P11
    @Test func `says by its report why there is no path, and another reason as no other path`() {
        var run = PathWatchRun.resting(ScriptedKernel(hasRoute: false, hasCarrier: false))
        #expect(run.machine.reported?.reason == .noCarrier)
        run.kernel.hasCarrier = true
        run.take(.noticed)
        run.passDeadline()
        #expect(
            run.answerAll().reports == [
                PathUpdate(.needsConnection, change: 2, reason: .noAddress)
            ])
        run.kernel.hasForeignAddress = true
        run.take(.noticed)
        run.passDeadline()
        #expect(
            run.answerAll().reports == [
                PathUpdate(.needsConnection, change: 2, reason: .noRoute)
            ])
        run.kernel.hasRoute = true
        run.take(.noticed)
        run.passDeadline()
        #expect(run.answerAll().reports == [PathUpdate(.available, change: 3)])
    }

    @Test func `throws a look away that something changed in, and looks again`() {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        run.answer()
        // The way is answered; now its link goes.
        run.kernel = ScriptedKernel(hasRoute: false, hasCarrier: false)
        run.take(.noticed)
        #expect(run.answerAll().reports == [])
        #expect(run.passDeadline().questions == [.route(to: .far)])
        #expect(
            run.answerAll().reports == [
                PathUpdate(.unavailable, change: 2, reason: .noCarrier)
            ])
    }

    @Test func `throws a look away whose dump was interrupted`() {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        run.kernel.hasRoute = false
        run.answer()
        #expect(run.answer(isInterrupted: true) == [])
        #expect(run.answerAll().reports == [])
        run.passDeadline()
        #expect(
            run.answerAll().reports == [
                PathUpdate(.needsConnection, change: 2, reason: .noAddress)
            ])
    }

    @Test func `believes a disturbed look after three in a row, and goes on looking`() {
        var run = PathWatchRun.resting()
        run.kernel.hasRoute = false
        run.take(.noticed)
        var reports: [PathUpdate] = []
        for _ in 0..<4 {
            #expect(reports == [])
            run.passDeadline()
            run.answer()
            run.take(.noticed)
            reports += run.answerAll().reports
        }
        #expect(reports == [PathUpdate(.needsConnection, change: 2, reason: .noAddress)])
        #expect(run.machine.nextDeadline != nil)
        run.passDeadline()
        #expect(run.answerAll().reports == [])
        #expect(run.machine.nextDeadline == nil)
    }

    @Test(arguments: [0, 7, UInt32.max])
    func `takes no answer that bears another number`(_ sequence: UInt32) {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        let before = run
        let header = NetlinkHeader(type: 0, flags: 0x10, sequence: sequence)
        #expect(run.take(.answered(header, .failed(code: -101))) == [])
        #expect(run == before)
    }

    @Test func `takes no answer when it asked nothing`() {
        var run = PathWatchRun.resting()
        let before = run
        let header = NetlinkHeader(type: 0, flags: 0, sequence: run.sequence)
        #expect(run.take(.answered(header, .link(.running(2)))) == [])
        #expect(run == before)
    }

    /// What answers a question, but cannot.
    @Test(
        arguments: [
            (0, .link(.running(2))), (0, .done(code: 0)), (0, .failed(code: 0)),
            (0, .route(.out(from: .own6))),
            (1, .route(.out(from: .own))), (1, .failed(code: -16)), (1, .done(code: -4)),
            (2, .link(.running(2))), (2, .done(code: -4)), (2, .failed(code: -1)),
        ] as [(Int, NetlinkMessage)])
    func `opens anew after an answer that is none`(_ place: Int, _ message: NetlinkMessage) {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        for _ in 0..<place {
            let before = run.question
            while run.question == before { run.answer() }
        }
        let header = NetlinkHeader(type: 0, flags: 0, sequence: run.sequence)
        let actions = run.take(.answered(header, message))
        #expect(actions == [.close, .report(PathUpdate(.unknown, change: 2))])
        #expect(run.machine.nextDeadline == run.now + 1_000)
    }

    @Test(arguments: [.overrun, .other(type: 99)] as [NetlinkMessage])
    func `waits on behind a message that answers nothing`(_ message: NetlinkMessage) {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        let header = NetlinkHeader(type: 0, flags: 0, sequence: run.sequence)
        #expect(run.take(.answered(header, message)) == [])
        run.answerAll()
        // Lost messages: what there is may not belong together.
        #expect((run.machine.state == .resting) == (message != .overrun))
    }

    @Test func `gives up a look that is not answered within a second`() {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        run.answer()
        #expect(run.machine.nextDeadline == run.now + 1_000)
        run.now += 999
        #expect(run.take(.deadlineReached) == [])
        let actions = run.passDeadline()
        #expect(actions == [.close, .report(PathUpdate(.unknown, change: 2))])
    }

    @Test func `tries again after a second, then ever later, a minute at most`() {
        var run = PathWatchRun()
        #expect(run.machine.handle(.started, now: 0) == [.open])
        var waits: [Milliseconds] = []
        for _ in 0..<8 {
            // It cannot even open: nothing is reported, since nothing was known.
            #expect(run.machine.handle(.failed, now: run.now) == [])
            let deadline = run.machine.nextDeadline ?? 0
            waits.append(deadline - run.now)
            run.now = deadline
            #expect(run.machine.handle(.deadlineReached, now: run.now) == [.open])
        }
        #expect(waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
        run.take(.opened)
        #expect(run.answerAll().reports == [PathUpdate(.available, change: 1)])
        run.take(.failed)
        #expect(run.machine.nextDeadline == run.now + 1_000)
    }

    @Test func `is unknown from a failure to the next look, also if it is as before`() {
        var run = PathWatchRun.resting()
        #expect(run.take(.failed) == [.close, .report(PathUpdate(.unknown, change: 2))])
        #expect(run.take(.failed) == [])
        #expect(run.take(.noticed) == [])
        run.passDeadline()
        #expect(run.answerAll().reports == [PathUpdate(.available, change: 3)])
    }

    @Test func `reports a change of cost by itself, and a path with the cost that was said last`() {
        var run = PathWatchRun.resting()
        #expect(
            run.take(.priced(.no)) == [.report(PathUpdate(.available, expensive: .no, change: 1))])
        #expect(run.take(.priced(.no)) == [])
        run.take(.noticed)
        run.passDeadline()
        run.kernel.link = 3
        // Amid a look it is no disturbance.
        #expect(run.take(.priced(.yes)).reports.map(\.expensive) == [.yes])
        #expect(
            run.answerAll().reports == [PathUpdate(.available, expensive: .yes, change: 2)])
        #expect(
            run.take(.failed)
                == [.close, .report(PathUpdate(.unknown, expensive: .yes, change: 3))])
        #expect(
            run.take(.priced(.unknown)) == [.report(PathUpdate(.unknown, change: 3))])
    }

    // P8
    @Test func `tells a cost that is known before the first look with that look`() {
        var run = PathWatchRun()
        #expect(run.take(.priced(.no)) == [])
        run.take(.started)
        #expect(run.take(.priced(.yes)) == [])
        #expect(run.answerAll().reports == [PathUpdate(.available, expensive: .yes, change: 1)])
    }

    // P7
    @Test func `closes when it is stopped, and says nothing more`() {
        var run = PathWatchRun.resting()
        run.take(.noticed)
        run.passDeadline()
        run.answer()
        let question = run.question
        #expect(run.take(.stopped) == [.close])
        #expect(run.take(.stopped) == [])
        run.question = question
        #expect(run.answerAll() == [])
        #expect(run.take(.noticed) == [] && run.take(.failed) == [])
        #expect(run.take(.priced(.yes)) == [])
        #expect(run.machine.nextDeadline == nil)
    }

    @Test func `starts once`() {
        var run = PathWatchRun.resting()
        #expect(run.take(.started) == [])
    }
}
