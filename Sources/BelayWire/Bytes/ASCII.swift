/// The bytes that HTTP and the event stream give a meaning to, and comparison without case.
///
/// Bytes rather than `Character`: a combining mark after a colon makes one character of both, and
/// a parser that splits characters no longer sees the colon.
enum ASCII {
    static let nul: UInt8 = 0x00
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let doubleQuote: UInt8 = 0x22
    static let percent: UInt8 = 0x25
    static let ampersand: UInt8 = 0x26
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let backslash: UInt8 = 0x5C
    static let delete: UInt8 = 0x7F

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The value of a hexadecimal digit in either case, nil for any other byte.
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether a byte may stand in a token: a method, a field name, a protocol name.
    ///
    /// Source: RFC 9110 §5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether two texts are the same but for the case of ASCII letters.
    static func equalIgnoringCase(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }
}

extension UnsafeRawBufferPointer {
    /// The same bytes from `range`, counted from 0 again.
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Whether these bytes begin with the bytes of `text`.
    @inline(__always)
    func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// Passes over ASCII from `start` on, 32 bytes at a time; stops before a block that has others,
    /// or before the last bytes if they fill none. Inlined, since it may not get far.
    @inline(__always)
    func firstBlockNotASCII(from start: Int) -> Int {
        var index = start
        while index <= count - 32 {
            let four = loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            guard four & 0x8080_8080_8080_8080 == .zero else { break }
            index += 32
        }
        return index
    }

    /// Whether all bytes are below 0x80.
    ///
    /// The last block is read once more, from its end: so no byte needs a look of its own.
    var isASCII: Bool {
        if count >= 32 {
            return firstBlockNotASCII(from: 0) > count - 32
                && loadUnaligned(fromByteOffset: count - 32, as: SIMD4<UInt64>.self)
                    & 0x8080_8080_8080_8080 == .zero
        }
        guard count >= 8 else { return allSatisfy { $0 < 0x80 } }
        var either = loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        for index in stride(from: 0, to: count - 8, by: 8) {
            either |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
        }
        return either & 0x8080_8080_8080_8080 == 0
    }

    /// The bytes as text; what is not UTF-8 becomes U+FFFD.
    ///
    /// Judged here: the standard library takes up to five times as long for what is not ASCII.
    var text: String {
        if isEmpty { return "" }
        if #available(iOS 26, macOS 26, *) {
            let isASCII = isASCII
            var validator = UTF8Validator()
            if isASCII || validator.append(self) && validator.isComplete {
                let bytes = Span<UInt8>(_bytes: bytes)
                return String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
            }
        }
        return String(decoding: self, as: UTF8.self)
    }
}

extension RawSpan {
    /// The bytes as text; what is not UTF-8 becomes U+FFFD.
    var text: String { withUnsafeBytes { $0.text } }
}
