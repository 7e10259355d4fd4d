/// Judges UTF-8 that comes in pieces, as early as a byte shows a fault.
///
/// Refuses overlong forms, surrogates and what lies above U+10FFFF at the byte that makes them,
/// not at the end of the scalar. Source: RFC 3629 §4, RFC 6455 §8.1.
public struct UTF8Validator: Hashable, Sendable {
    /// Continuation bytes that the scalar at hand still lacks, 0 to 3.
    private var missing: UInt8 = 0

    /// What the next continuation byte must lie in; narrower only after a few lead bytes.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    private var isBroken = false

    /// A validator at the start of a text.
    public init() {}

    /// Whether the text may end here: no fault, and no scalar that is half there.
    public var isComplete: Bool { missing == 0 && !isBroken }

    /// Takes the next bytes; false once a fault was seen, then and for ever.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isBroken else { return false }
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = Self.firstInDoubt(in: bytes, from: index)
                guard index < bytes.count else { break }
                isBroken = !begin(bytes[index])
            } else {
                isBroken = !goOn(bytes[index])
            }
            if isBroken { return false }
            index += 1
        }
        return true
    }

    /// Takes the next bytes, as the call with a buffer does.
    public mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { append($0) }
    }

    /// A lead byte: how many bytes follow, and what the first of them may be.
    private mutating func begin(_ lead: UInt8) -> Bool {
        lowest = 0x80
        highest = 0xBF
        switch lead {
        case 0x00...0x7F:
            break
        case 0xC2...0xDF:
            missing = 1
        case 0xE0...0xEF:
            missing = 2
            if lead == 0xE0 { lowest = 0xA0 }  // Less would be overlong.
            if lead == 0xED { highest = 0x9F }  // More would be a surrogate.
        case 0xF0...0xF4:
            missing = 3
            if lead == 0xF0 { lowest = 0x90 }  // Less would be overlong.
            if lead == 0xF4 { highest = 0x8F }  // More would lie above U+10FFFF.
        default:
            return false
        }
        return true
    }

    private mutating func goOn(_ byte: UInt8) -> Bool {
        guard byte >= lowest, byte <= highest else { return false }
        lowest = 0x80
        highest = 0xBF
        missing -= 1
        return true
    }

    /// Goes over whole scalars that are right. What stops it, wrong or cut off or in the last
    /// three bytes, is judged byte by byte.
    ///
    /// A scalar is judged by one load: its bytes stand in a word, the first in the lowest place.
    private static func firstInDoubt(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index <= bytes.count - 4 {
            let word = UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            if word & 0x80 == 0 {
                index = firstNonASCII(in: bytes, from: index)
            } else if word & 0xC0E0 == 0x80C0 {
                guard word & 0x1E != 0 else { return index }  // Overlong: C0, C1.
                index += 2
            } else if word & 0xC0_C0F0 == 0x80_80E0 {
                // E0 with less than A0 is overlong, ED with more than 9F a surrogate.
                let edge = word & 0x200F
                guard edge != 0, edge != 0x200D else { return index }
                index += 3
            } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
                // From F0 90 to F4 8F: what is less is overlong, what is more above U+10FFFF.
                let lead = word & 0x07
                let isLowest = word & 0x3000 == 0
                guard lead == 0 ? !isLowest : lead < 4 || lead == 4 && isLowest else {
                    return index
                }
                index += 4
            } else {
                return index
            }
        }
        return index
    }

    /// Most text is ASCII: 32 bytes of it are judged by one test, and the last eight by another.
    private static func firstNonASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index <= bytes.count - 32 {
            let four = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            guard four & 0x8080_8080_8080_8080 == .zero else { break }
            index += 32
        }
        while index <= bytes.count - 8 {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            guard high == 0 else { return index + high.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
