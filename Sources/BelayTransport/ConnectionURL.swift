/// An absolute `ws`, `wss`, `http` or `https` address, in the parts a transport needs.
///
/// User information is refused: a secret in an address ends up in logs. A fragment is refused
/// for `ws` and `wss` and dropped for the others. Source: RFC 6455 §3, RFC 9110 §4.2.
public struct ConnectionURL: Hashable, Sendable {
    /// How to speak to the peer.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// WebSocket in the clear; port 80.
        case ws
        /// WebSocket over TLS; port 443.
        case wss
        /// HTTP in the clear; port 80.
        case http
        /// HTTP over TLS; port 443.
        case https

        /// Whether bytes go through TLS.
        public var isSecure: Bool { self == .wss || self == .https }
        /// The port where the address names none.
        public var defaultPort: UInt16 { isSecure ? 443 : 80 }
    }

    /// How to speak to the peer.
    public let scheme: Scheme
    /// A name or address; an IPv6 address without its brackets.
    public let host: String
    /// 1 to 65535.
    public let port: UInt16
    /// Path and query, never empty: what stands in the request line.
    public let target: String

    /// Why a text is no address that can be connected to.
    public enum Invalid: Error, Hashable {
        /// It does not begin with `ws://`, `wss://`, `http://` or `https://`.
        case scheme
        /// There is no host, or it holds a byte that no host has.
        case host
        /// The port is no number from 1 to 65535.
        case port
        /// User information (`user:password@`): send credentials in a request field.
        case userInformation
        /// A `ws` or `wss` address with a fragment.
        case fragment
        /// A space, control or non-ASCII byte at this offset in UTF-8: percent-encode it.
        case byte(offset: Int)
    }

    /// Reads an absolute address.
    public init(_ text: String) throws(Invalid) {
        for (offset, byte) in text.utf8.enumerated() where byte <= 0x20 || byte >= 0x7F {
            throw .byte(offset: offset)
        }
        guard let mark = text.range(ofFirst: "://"),
            let scheme = Scheme(rawValue: text[..<mark.lowerBound].lowercased())
        else { throw .scheme }

        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        (host, port) = try Self.authority(rest[..<end], of: scheme)
        target = try Self.target(rest[end...], of: scheme)
        self.scheme = scheme
    }

    /// Host and port as a `Host` field writes them: the default port is left out.
    public var authority: String {
        let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == scheme.defaultPort ? shown : "\(shown):\(port)"
    }

    private static func authority(
        _ text: Substring, of scheme: Scheme
    ) throws(Invalid) -> (String, UInt16) {
        guard !text.contains("@") else { throw .userInformation }
        var host = text
        var port = Substring()
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { throw .host }
            host = text[text.index(after: text.startIndex)..<close]
            port = text[text.index(after: close)...]
            guard host.utf8.allSatisfy(isAddressByte) else { throw .host }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<colon]
            port = text[colon...]
            guard host.utf8.allSatisfy(isNameByte) else { throw .host }
        }
        guard !host.isEmpty else { throw .host }
        return (String(host).lowercased(), try number(of: port, else: scheme.defaultPort))
    }

    private static func number(
        of port: Substring, else standard: UInt16
    ) throws(Invalid) -> UInt16 {
        if port.isEmpty || port == ":" { return standard }
        let digits = port.dropFirst()
        guard port.first == ":", digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = UInt16(digits), number > 0
        else { throw .port }
        return number
    }

    private static func target(_ text: Substring, of scheme: Scheme) throws(Invalid) -> String {
        let hash = text.firstIndex(of: "#") ?? text.endIndex
        if hash != text.endIndex, scheme == .ws || scheme == .wss { throw .fragment }
        let target = text[..<hash]
        return target.first == "/" ? String(target) : "/" + target
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default:
            false
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
    }
}

extension ConnectionURL: CustomStringConvertible {
    /// The address without its query, which may carry tokens (law 8).
    public var description: String {
        let path = target.prefix { $0 != "?" }
        return "\(scheme.rawValue)://\(authority)\(path)"
    }
}

extension String {
    fileprivate func range(ofFirst mark: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(mark) {
                return start..<index(start, offsetBy: mark.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
