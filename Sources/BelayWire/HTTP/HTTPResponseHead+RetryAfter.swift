extension HTTPResponseHead {
    /// The whole seconds for which the server asks to stay away; `nil` where it does not say.
    ///
    /// A date counts from the response's own `Date`: both are the server's clock, and ours may be
    /// wrong. Without that field, or in an obsolete form, it says nothing. At least 0; a number too
    /// great for its type becomes the greatest. Source: RFC 9110 §10.2.3.
    public var retryAfter: Int64? {
        guard let text = fields["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(isDigit) {
            return Int64(text) ?? .max
        }
        guard let until = secondsOfDate(text), let now = fields["Date"].flatMap(secondsOfDate)
        else { return nil }
        return max(0, until - now)
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
}

/// The seconds of an IMF-fixdate from a fixed day on: `Sun, 06 Nov 1994 08:49:37 GMT`.
/// Source: RFC 9110 §5.6.7.
private func secondsOfDate(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let months = "JanFebMarAprMayJunJulAugSepOctNovDec"
    guard bytes.count == 29, bytes[25...].elementsEqual(" GMT".utf8), bytes[3] == UInt8(ascii: ","),
        let day = number(bytes[5..<7]), 1...31 ~= day, let year = number(bytes[12..<16]),
        let hour = number(bytes[17..<19]), hour < 24, bytes[19] == UInt8(ascii: ":"),
        let minute = number(bytes[20..<22]), minute < 60, bytes[22] == UInt8(ascii: ":"),
        let second = number(bytes[23..<25]), second <= 60,
        let month = (0..<12).first(where: { index in
            months.utf8.dropFirst(index * 3).prefix(3).elementsEqual(bytes[8..<11])
        })
    else { return nil }
    // Years that begin in March put the leap day last: days follow from months by one formula.
    let shifted = Int64(month) < 2 ? year - 1 : year
    let fromMarch = (Int64(month) + 10) % 12
    let days =
        shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
        + (fromMarch * 153 + 2) / 5 + day
    return ((days * 24 + hour) * 60 + minute) * 60 + second
}

private func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard bytes.allSatisfy(isDigit) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
}
