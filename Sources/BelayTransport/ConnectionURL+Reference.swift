extension ConnectionURL {
    /// The address that a reference names when it is read here: `Location` holds one.
    ///
    /// A fragment is dropped. Source: RFC 3986 §5.2.
    /// - Throws: As reading an absolute address does.
    package func resolved(_ reference: String) throws(Invalid) -> ConnectionURL {
        let reference = reference.prefix { $0 != "#" }
        if Self.hasScheme(reference) { return try Self.withoutDots(String(reference)) }
        if reference.hasPrefix("//") {
            return try Self.withoutDots("\(scheme.rawValue):\(reference)")
        }
        let (basePath, baseQuery) = Self.split(target[...])
        let (path, query) = Self.split(reference)
        let target =
            switch path.first {
            case nil: basePath + (query.isEmpty ? baseQuery : query)
            case "/": path + query
            default: basePath[..<Self.lastSegment(of: basePath)] + path + query
            }
        return try Self.withoutDots("\(scheme.rawValue)://\(authority)\(target)")
    }

    /// Whether both are of one origin: scheme, host and port. Source: RFC 6454 §4.
    package func isSameOrigin(as other: ConnectionURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Source: RFC 3986 §3.1.
    private static func hasScheme(_ reference: Substring) -> Bool {
        guard let colon = reference.firstIndex(of: ":"),
            let first = reference.utf8.first, isLetter(first)
        else { return false }
        return reference[..<colon].utf8.allSatisfy {
            isLetter($0) || 0x30...0x39 ~= $0 || "+-.".utf8.contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    /// The path, and the query with its question mark.
    private static func split(_ target: Substring) -> (path: Substring, query: Substring) {
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        return (target[..<mark], target[mark...])
    }

    /// Where the last segment of a path begins.
    private static func lastSegment(of path: Substring) -> Substring.Index {
        path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    }

    private static func withoutDots(_ text: String) throws(Invalid) -> ConnectionURL {
        let url = try ConnectionURL(text)
        let (path, query) = split(url.target[...])
        return try ConnectionURL(
            "\(url.scheme.rawValue)://\(url.authority)\(removingDots(from: path))\(query)")
    }

    /// Source: RFC 3986 §5.2.4.
    private static func removingDots(from path: Substring) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments {
            switch segment {
            case ".": break
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        // What names a folder goes on naming one.
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
