import BelayCore
import Testing

@Suite struct `Moments in milliseconds` {
    struct Sum: CustomTestStringConvertible {
        let moment: Milliseconds
        let length: Milliseconds
        let expected: Milliseconds
        var testDescription: String { "\(moment) moved by \(length)" }
    }

    @Test(arguments: [
        Sum(moment: 5, length: 7, expected: 12),
        Sum(moment: -5, length: 7, expected: 2),
        Sum(moment: .min, length: 1, expected: .min + 1),
        Sum(moment: .min, length: .max - 1, expected: -2),
        Sum(moment: .max - 1, length: 1, expected: .never),
        Sum(moment: .max - 1, length: 2, expected: .never),
        Sum(moment: .never, length: 1, expected: .never),
        Sum(moment: .min, length: -1, expected: .min),
    ])
    func `are moved without overflow`(_ sum: Sum) {
        #expect(sum.moment.moved(by: sum.length) == sum.expected)
    }

    @Test(arguments: [Milliseconds.min, -5, 0, 5, .max])
    func `an endless length ends at no moment, wherever it began`(_ moment: Milliseconds) {
        #expect(moment.moved(by: .max) == .never)
    }

    // W9
    @Test func `a moment is reached at its own millisecond`() {
        let deadline: Milliseconds = 100
        #expect(!deadline.isReached(at: 99))
        #expect(deadline.isReached(at: 100))
        #expect(deadline.isReached(at: 101))
    }

    @Test func `the end of the clock is not reached, not even by a clock at its end`() {
        #expect(!Milliseconds.never.isReached(at: .max))
    }

    @Test(
        arguments: [
            (5, 3, 2), (3, 3, 0), (3, 5, 0), (.max, .min, .max), (.min, .max, 0), (.min, 0, 0),
        ] as [(Milliseconds, Milliseconds, Milliseconds)])
    func `since another is never negative and never traps`(
        _ now: Milliseconds, _ start: Milliseconds, _ elapsed: Milliseconds
    ) {
        #expect(now.elapsed(since: start) == elapsed)
    }
}
