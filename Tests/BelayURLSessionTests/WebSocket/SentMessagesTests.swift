import Testing

@testable import BelayURLSession

@Suite struct `Sent messages` {
    @Test(
        arguments: [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] as [[UInt64]])
    func `are reported in order, each once`(completions: [UInt64]) {
        var sends = SentMessages()
        for number: UInt64 in 1...3 { sends.order(number) }
        var reported: [UInt64] = []
        for number in completions + completions { reported += sends.complete(number) }
        #expect(reported == [1, 2, 3])
        #expect(sends.reported == 3)
    }

    @Test func `of another connection are not theirs`() {
        var sends = SentMessages()
        sends.order(4)
        #expect(sends.complete(3) == [])
        #expect(sends.newest == 4)
        #expect(sends.reported == nil)
    }
}
