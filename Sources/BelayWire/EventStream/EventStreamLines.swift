/// Where the lines of an event stream end: CR, LF or CRLF, and nothing else.
///
/// Source: HTML, 9.2.5. U+2028, NEL, VT and FF are data; JSON texts hold them.
enum EventStreamLines {
    /// The byte order mark, which counts only at the very start of the stream.
    static let byteOrderMark: StaticString = "\u{FEFF}"

    /// The place of the first CR or LF at or after `start`, or the count if there is none.
    ///
    /// Inlined: lines are short, and each begins here.
    @inline(__always)
    static func firstEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index <= bytes.count - 32 {
            let (first, second) = (ends(in: bytes, at: index), ends(in: bytes, at: index + 16))
            let either = first | second
            if either[0] | either[1] != 0 {
                return index + (firstPlace(in: first) ?? 16 + (firstPlace(in: second) ?? 0))
            }
            index += 32
        }
        while index <= bytes.count - 16 {
            if let place = firstPlace(in: ends(in: bytes, at: index)) { return index + place }
            index += 16
        }
        while index < bytes.count {
            if bytes[index] == ASCII.lineFeed || bytes[index] == ASCII.carriageReturn { break }
            index += 1
        }
        return index
    }

    /// Sixteen bytes, each all ones where a line ends and zero elsewhere.
    ///
    /// Types are written out and calls inlined: else the compiler takes operators that it does not
    /// specialize, a hundred times as slow.
    @inline(__always)
    private static func ends(in bytes: UnsafeRawBufferPointer, at index: Int) -> SIMD2<UInt64> {
        let lanes = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        let lineFeeds = lanes .== SIMD16<UInt8>(repeating: ASCII.lineFeed)
        let carriageReturns = lanes .== SIMD16<UInt8>(repeating: ASCII.carriageReturn)
        return unsafeBitCast(lineFeeds .| carriageReturns, to: SIMD2<UInt64>.self)
    }

    @inline(__always)
    private static func firstPlace(in ends: SIMD2<UInt64>) -> Int? {
        for half in 0...1 where ends[half] != 0 {
            return half * 8 + UInt64(littleEndian: ends[half]).trailingZeroBitCount / 8
        }
        return nil
    }
}
