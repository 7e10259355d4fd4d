/// SHA-1 of a short text, for `Sec-WebSocket-Accept` only.
///
/// It protects nothing.
///
/// Source: FIPS 180-4 §6.1, RFC 6455 §4.2.2.
enum SHA1 {
    /// The 20 bytes of the digest.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var hash: [UInt32] = [
            0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0,
        ]
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            absorb(padded[start..<(start + 64)], into: &hash)
        }
        return hash.flatMap(bigEndian)
    }

    /// The message, a bit, zeros, and the length in bits, to whole blocks of 64 bytes.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let bitCount = UInt64(message.count) * 8
        padded += bigEndian(UInt32(bitCount >> 32))
        padded += bigEndian(UInt32(truncatingIfNeeded: bitCount))
        return padded
    }

    private static func absorb(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        var words: [UInt32] = stride(from: block.startIndex, to: block.endIndex, by: 4).map {
            block[$0..<($0 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(
                rotated(
                    words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16],
                    by: 1))
        }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for (round, word) in words.enumerated() {
            let mixed: UInt32
            let constant: UInt32
            switch round {
            case ..<20: (mixed, constant) = (b & c | ~b & d, 0x5A82_7999)
            case ..<40: (mixed, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case ..<60: (mixed, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
            default: (mixed, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = rotated(a, by: 5) &+ mixed &+ e &+ constant &+ word
            (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { hash[index] &+= value }
    }

    private static func rotated(_ word: UInt32, by places: UInt32) -> UInt32 {
        word << places | word >> (32 - places)
    }

    private static func bigEndian(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
}
