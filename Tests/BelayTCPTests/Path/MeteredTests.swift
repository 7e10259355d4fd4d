import BelayCore
import Testing

@testable import BelayTCP

@Suite struct `A word on metering` {
    @Test(
        arguments: [
            (0, .unknown), (1, .yes), (2, .no), (3, .yes), (4, .no), (5, .unknown),
            (UInt32.max, .unknown),
        ] as [(UInt32, PathTrait)])
    func `counts as what it says or guesses, and as nothing where it is no word`(
        _ number: UInt32, _ trait: PathTrait
    ) {
        #expect(Metered(number: number).trait == trait)
    }
}
