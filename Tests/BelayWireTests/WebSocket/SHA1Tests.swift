import Testing

@testable import BelayWire

@Suite struct `SHA-1` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let message: [UInt8]
        let digest: String
    }

    /// The examples of FIPS 180-4, and the lengths around a block's end.
    @Test(arguments: [
        Case(
            testDescription: "nothing", message: [],
            digest: "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        Case(
            testDescription: "abc", message: [UInt8]("abc"),
            digest: "a9993e364706816aba3e25717850c26c9cd0d89d"),
        Case(
            testDescription: "two blocks",
            message: [UInt8]("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            digest: "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        Case(
            testDescription: "55 bytes", message: [UInt8](repeating: 0x61, count: 55),
            digest: "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        Case(
            testDescription: "64 bytes", message: [UInt8](repeating: 0x61, count: 64),
            digest: "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func `gives the published digests`(_ test: Case) {
        #expect(SHA1.digest(of: test.message) == [UInt8](hex: test.digest))
    }
}
