import Testing

@testable import BelayWire

@Suite struct `Kept bytes` {
    /// Every way in which up to four pieces of these lengths may come, with a clearing before each
    /// or not: what is left from earlier is shorter, as long, or longer, and is crossed or not.
    @Test func `are those that came since the last clearing, whatever was there before`() {
        let steps = [0, 1, 3, 8].flatMap { count in
            [(count: count, clears: false), (count: count, clears: true)]
        }
        for first in steps {
            for second in steps {
                for third in steps {
                    for fourth in steps { hold([first, second, third, fourth]) }
                }
            }
        }
    }

    private func hold(_ steps: [(count: Int, clears: Bool)]) {
        var kept = KeptBytes()
        var model: [UInt8] = []
        var next: UInt8 = 0
        for step in steps {
            if step.clears {
                kept.clear()
                model = []
            }
            let piece = (0..<step.count).map { next &+ UInt8($0) }
            next &+= UInt8(step.count)
            piece.withUnsafeBytes { kept.append($0) }
            model += piece
            #expect(kept.bytes[..<kept.count].elementsEqual(model), "\(steps)")
        }
    }

    @Test(arguments: [(1 << 10, true), (48 << 10, true), (1 << 20, false)])
    func `hold on to a usual size of memory, and to no more`(count: Int, stays: Bool) {
        var kept = KeptBytes()
        [UInt8](repeating: 1, count: count).withUnsafeBytes { kept.append($0) }
        kept.clear()
        #expect((kept.bytes.capacity >= count) == stays)
    }
}
