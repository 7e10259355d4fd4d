/// The four bytes that a client's payload is masked with.
///
/// They must come from a strong source of chance, drawn anew for each frame: they keep a page from
/// choosing the bytes that a proxy sees. This room draws none. Source: RFC 6455 §5.3.
public struct MaskingKey: Hashable, Sendable {
    /// The four bytes in their order on the wire, the first in the lowest place.
    let word: UInt32

    /// The key of these four bytes, in their order on the wire.
    public init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        word = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16 | UInt32(fourth) << 24
    }

    /// The key in 32 bits of chance.
    public init(_ chance: UInt32) {
        word = chance
    }

    /// The key as it travels.
    public var bytes: [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }

    /// Masks bytes in place, or takes the mask off: it is the same.
    ///
    /// - Parameter offset: Where in the payload these bytes begin, 0 or more.
    public func apply(to bytes: UnsafeMutableRawBufferPointer, at offset: Int = 0) {
        // Turned so that the key's first byte in use is the lowest, and written twice in a word.
        let turn = UInt32(offset & 3) * 8
        let turned = turn == 0 ? word : word >> turn | word << (32 - turn)
        let double = UInt64(turned) << 32 | UInt64(turned)
        var index = 0
        while index <= bytes.count - 8 {
            let masked = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            bytes.storeBytes(
                of: (masked ^ double).littleEndian, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: turned >> UInt32((index & 3) * 8))
            index += 1
        }
    }
}
