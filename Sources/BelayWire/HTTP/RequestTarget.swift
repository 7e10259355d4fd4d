/// The path and the query of a request target, decoded.
///
/// Source: RFC 9112 §3.2, RFC 3986 §3.
public struct RequestTarget: Hashable, Sendable {
    /// A query item: `cut=1`.
    public struct Item: Hashable, Sendable {
        /// What stands before the `=`.
        public var name: String
        /// What stands behind the first `=`; empty if there is none.
        public var value: String

        /// An item with both parts given.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path with its percent escapes decoded: `/events`.
    ///
    /// Begins with `/`, or is `*`.
    public let path: String

    /// The query items in their order; a name may come twice.
    public let items: [Item]

    /// Reads a target of origin form, or of absolute form, whose scheme and host are dropped.
    ///
    /// Never fails: an escape that is none stays as it is, and what is not UTF-8 becomes U+FFFD.
    /// In the query a `+` is a space, as HTML forms and hands write it.
    public init(_ target: String) {
        let bytes = Self.withoutAuthority(Array(target.utf8)[...])
        let mark = bytes.firstIndex(of: ASCII.questionMark) ?? bytes.endIndex
        let path = Self.decoded(bytes[..<mark], of: .path)
        self.path = path.utf8.isEmpty ? "/" : path
        items = bytes[mark...].dropFirst().split(separator: ASCII.ampersand).map { item in
            let equals = item.firstIndex(of: ASCII.equals) ?? item.endIndex
            return Item(
                name: Self.decoded(item[..<equals], of: .query),
                value: Self.decoded(item[equals...].dropFirst(), of: .query))
        }
    }

    /// The value of the first query item with this name, nil if there is none.
    public func first(_ name: String) -> String? {
        items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    private enum Part {
        case path
        case query
    }

    private static func withoutAuthority(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = target.first, first != ASCII.slash,
            let colon = target.firstIndex(of: ASCII.colon),
            target[..<colon].allSatisfy(ASCII.isTokenByte),
            target[(colon + 1)...].starts(with: [ASCII.slash, ASCII.slash])
        else { return target }
        let authority = target[(colon + 3)...]
        let end = authority.firstIndex { $0 == ASCII.slash || $0 == ASCII.questionMark }
        return authority[(end ?? authority.endIndex)...]
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, of part: Part) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == ASCII.percent, index + 2 < bytes.endIndex,
                let high = ASCII.hexadecimalValue(bytes[index + 1]),
                let low = ASCII.hexadecimalValue(bytes[index + 2])
            {
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(byte == ASCII.plus && part == .query ? ASCII.space : byte)
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
