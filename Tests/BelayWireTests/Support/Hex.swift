extension [UInt8] {
    /// The bytes that a text in hexadecimal spells; spaces are for the eye.
    init(hex: String) {
        let digits = hex.filter { $0 != " " }
        var bytes: [UInt8] = []
        var start = digits.startIndex
        while let end = digits.index(start, offsetBy: 2, limitedBy: digits.endIndex),
            start < end, let byte = UInt8(digits[start..<end], radix: 16)
        {
            bytes.append(byte)
            start = end
        }
        precondition(start == digits.endIndex, "not hexadecimal: \(hex)")
        self = bytes
    }

    /// The bytes of a text.
    init(_ text: String) {
        self = Array(text.utf8)
    }
}
