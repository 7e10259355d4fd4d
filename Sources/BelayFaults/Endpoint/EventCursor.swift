/// The value of `Last-Event-ID`, read as the article's fixture reads it: by Python's `int()`.
///
/// Space around it, one sign, decimal digits, single underscores between them. Source: The Python
/// Language Reference, `int`; the seed's fixture.
enum EventCursor {
    /// Python refuses more digits than these, leading zeros included.
    private static let maximumDigits = 4_300

    /// The number, at the end of `Int`'s range where it is beyond it; `nil` for no integer.
    static func parse(_ text: String) -> Int? {
        var digits = Array(text.utf8)[...]
        while let first = digits.first, isSpace(first) { digits.removeFirst() }
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        let sign = digits.first
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { digits.removeFirst() }
        guard let number = magnitude(digits) else { return nil }
        return sign == UInt8(ascii: "-") ? -number : number
    }

    private static func magnitude(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        var count = 0
        // An underscore stands between two digits, so neither first nor behind another.
        var mayBeUnderscore = false
        for byte in digits {
            if byte == UInt8(ascii: "_"), mayBeUnderscore {
                mayBeUnderscore = false
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10, count < maximumDigits else { return nil }
            count += 1
            mayBeUnderscore = true
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(digit))
            number = overflow || carry ? .max : sum
        }
        return mayBeUnderscore ? number : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
