import Testing

@testable import BelayURLSession

@Suite struct `Pings of a session` {
    // B5
    @Test func `leave one after another, each behind the messages before it`() {
        var pings = SerialPings()
        pings.order(1, behind: nil)
        pings.order(2, behind: 7)
        #expect(pings.next(sent: nil) == 1)
        #expect(pings.next(sent: 7) == nil)  // One is outstanding.
        #expect(pings.noteAnswer(to: 1) == true)
        #expect(pings.next(sent: 6) == nil)
        #expect(pings.next(sent: nil) == nil)
        #expect(pings.next(sent: 7) == 2)
    }

    // A13
    @Test func `are answered once, and only the outstanding one`() {
        var pings = SerialPings()
        pings.order(1, behind: nil)
        #expect(pings.noteAnswer(to: 1) == false)
        #expect(pings.next(sent: nil) == 1)
        #expect(pings.noteAnswer(to: 2) == false)
        #expect(pings.noteAnswer(to: 1) == true)
        #expect(pings.noteAnswer(to: 1) == false)
    }

    @Test func `wait up to a limit`() {
        var pings = SerialPings()
        for number in 1...100 { pings.order(UInt32(number), behind: nil) }
        var taken: [UInt32] = []
        while let next = pings.next(sent: nil) {
            taken.append(next)
            #expect(pings.noteAnswer(to: next) == true)
        }
        #expect(taken == Array(1...UInt32(SerialPings.limit)))
    }
}
