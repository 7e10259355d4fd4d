/// Judges UTF-8 that comes in pieces, as early as a byte shows a fault.
///
/// Refuses overlong forms, surrogates and what lies above U+10FFFF at the byte that makes them,
/// not at the end of the scalar. Source: RFC 3629 §4, RFC 6455 §8.1.
public struct UTF8Validator: Hashable, Sendable {
    private var state = State.complete

    /// A validator at the start of a text.
    public init() {}

    /// Whether the text may end here: no fault, and no scalar that is half there.
    public var isComplete: Bool { state == State.complete }

    /// Takes the next bytes; false once a fault was seen, then and for ever.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state = State.rows.withUnsafeBufferPointer { rows in
            var state = state
            var index = 0
            while index < bytes.count {
                if state == State.complete { index = bytes.firstBlockNotASCII(from: index) }
                let end = min(index + 32, bytes.count)
                while index < end {
                    state = rows[Int(bytes[index])] &>> state
                    index += 1
                }
                state &= State.mask
            }
            return state
        }
        return state != State.broken
    }

    /// Takes the next bytes, as the call with a buffer does.
    public mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { append($0) }
    }
}

/// An automaton whose state is a place in a word.
///
/// Each byte has a word with the next state for every state, so that a step is one shift: the same
/// few cycles for every script, where branches would guess wrong at each change.
private enum State {
    static let complete: UInt64 = 0
    static let broken: UInt64 = 6
    /// So many continuation bytes are missing.
    static let missing: [UInt64] = [complete, 12, 18, 24]
    /// After E0 less than A0 would be overlong, after ED more than 9F a surrogate.
    static let (afterE0, afterED): (UInt64, UInt64) = (30, 36)
    /// After F0 less than 90 would be overlong, after F4 more than 8F above U+10FFFF.
    static let (afterF0, afterF4): (UInt64, UInt64) = (42, 48)

    /// What of a shifted word is the state.
    static let mask: UInt64 = 63

    static let rows = (0...UInt8.max).map(row)

    private static func row(of byte: UInt8) -> UInt64 {
        // Whatever is not said below is broken, and so is what comes after it.
        var row = stride(from: 0, through: 48, by: 6).reduce(UInt64(0)) { $0 | broken << $1 }
        func from(_ state: UInt64, to next: UInt64) {
            row = row & ~(mask << state) | next << state
        }
        switch byte {
        case 0x00...0x7F:
            from(complete, to: complete)
        case 0x80...0xBF:
            for count in 1...3 { from(missing[count], to: missing[count - 1]) }
            from(byte < 0xA0 ? afterED : afterE0, to: missing[1])
            from(byte < 0x90 ? afterF4 : afterF0, to: missing[2])
        case 0xE0: from(complete, to: afterE0)
        case 0xED: from(complete, to: afterED)
        case 0xF0: from(complete, to: afterF0)
        case 0xF4: from(complete, to: afterF4)
        case 0xC2...0xDF: from(complete, to: missing[1])
        case 0xE1...0xEF: from(complete, to: missing[2])
        case 0xF1...0xF3: from(complete, to: missing[3])
        default: break
        }
        return row
    }
}
