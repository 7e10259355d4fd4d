/// Base64 with padding, for the two keys of the opening handshake.
///
/// Source: RFC 4648 §4.
enum Base64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// The text for these bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            word <<= UInt32(3 - group.count) * 8
            for place in 0..<4 {
                let index = Int(word >> UInt32(18 - place * 6) & 63)
                text.append(place <= group.count ? alphabet.utf8Start[index] : ASCII.equals)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text is what `encode` makes of 16 bytes, as a handshake key must be.
    static func isSixteenBytes(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[22...].allSatisfy({ $0 == ASCII.equals }) else {
            return false
        }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, ASCII.plus, ASCII.slash: true
            default: false
            }
        }
    }
}
