#if os(Linux)
    import BelayTransport
    import BelayWire
    import CCurl
    import Glibc

    /// A request for an event stream, as libcurl is told it. Source: HTML, 9.2.3.
    struct CurlRequest: Hashable {
        /// What the transport or libcurl writes itself, and no application may write otherwise.
        private static let ownFields = [
            "Host", "Accept", "Cache-Control", "Last-Event-ID", "Accept-Encoding", "Connection",
            "Content-Length", "Transfer-Encoding", "Expect", "Upgrade", "HTTP2-Settings", "TE",
        ]

        let url: String
        let target: String
        let host: String
        let isSecure: Bool
        let method: String
        /// Lines in libcurl's words: `name:` keeps it from sending its own, `name;` has no value.
        let fields: [String]
        let body: [UInt8]?

        /// - Throws: What would end its line, or what no field can carry: nothing is sent then.
        init(_ request: EventStreamRequest) throws(UnsendableRequest) {
            try request.check()
            var fields = HTTPFields()
            fields.append("Accept", "text/event-stream")
            fields.append("Cache-Control", "no-cache")
            // Said, since saying nothing allows any coding (RFC 9110 §12.5.3).
            fields.append("Accept-Encoding", request.acceptsCompression ? "gzip" : "identity")
            if let id = request.lastEventID, !id.isEmpty { fields.append("Last-Event-ID", id) }
            fields.append(contentsOf: HTTPFields(request.fields, without: Self.ownFields))
            var lines = fields.all.map {
                // A value of blanks would be a field that shall not be sent.
                $0.value.allSatisfy { $0 == " " || $0 == "\t" }
                    ? "\($0.name);" : "\($0.name): \($0.value)"
            }
            if request.body != nil {
                lines.append("Expect:")
                if fields["Content-Type"] == nil { lines.append("Content-Type:") }
            }
            (self.fields, body) = (lines, request.body)
            (target, host, method) = (request.url.target, request.url.host, request.method.name)
            isSecure = request.url.scheme.isSecure
            url = "\(request.url.scheme.rawValue)://\(request.url.authority)\(request.url.target)"
        }

        /// Calls `body` with the form that the C target takes.
        func withRaw<Result>(
            to address: SocketAddress, _ call: (UnsafePointer<ccurl_request>) -> Result
        ) -> Result {
            let texts = [url, target, method, address.bracketed] + fields
            let copies = texts.map { text in text.withCString { strdup($0) } }
            defer { for copy in copies { free(copy) } }
            let lines = copies[4...].map { $0.map { UnsafePointer($0) } }
            return lines.withUnsafeBufferPointer { lines in
                // An empty body is one too.
                ((body ?? []) + [0]).withUnsafeBytes { bytes in
                    var raw = ccurl_request(
                        url: copies[0], target: copies[1], method: copies[2], address: copies[3],
                        fields: lines.baseAddress, field_count: lines.count,
                        body: body == nil ? nil : bytes.baseAddress, body_size: body?.count ?? 0)
                    return call(&raw)
                }
            }
        }
    }

    extension SocketAddress {
        /// The address without the port, as it stands in a URL.
        fileprivate var bracketed: String {
            let text = hostText
            return text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]" : text
        }
    }
#endif
