#if os(Linux)
    import BelayCore
    import BelayTransport
    import BelayWire

    /// What the head of a response makes of an attempt. Pure.
    enum EventStreamResponse: Hashable {
        /// The stream is open; so its body ends, and gzip is its coding or nothing.
        case opens(EventStreamBody.Framing, isCompressed: Bool)
        /// The attempt goes on with the chain's next request.
        case redirects
        /// The attempt is over.
        case ends(CloseCause, retryAfter: Milliseconds? = nil)

        /// Judges a head; follows it in the chain where it redirects. Source: HTML, 9.2.2.
        ///
        /// - Parameter version: How the response came. HTTP/2 frames bodies itself.
        init(_ head: HTTPResponseHead, over version: Version, _ chain: inout RedirectChain) {
            guard
                !chain.request.staleCursorFields.contains(where: {
                    head.fields[$0.name] == $0.value
                })
            else {
                self = .ends(.cursorTooOld, retryAfter: head.retryDelay)
                return
            }
            let status = UInt16(clamping: head.status)
            let places = head.fields.values(of: "Location")
            // Two places: one of them is not the server's.
            if places.count == 1, chain.follow(status, to: places[0]) {
                self = .redirects
                return
            }
            switch status {
            case 200: self = Self.judged(head, version, chain.request)
            case 204: self = .ends(.toldToStop)
            default: self = .ends(.handshakeRefused(status: status), retryAfter: head.retryDelay)
            }
        }

        /// How a response comes.
        enum Version: Hashable {
            case http1, http2
        }

        private static func judged(
            _ head: HTTPResponseHead, _ version: Version, _ request: EventStreamRequest
        ) -> EventStreamResponse {
            let type = head.fields["Content-Type"]?
                .prefix { $0 != ";" && $0 != " " && $0 != "\t" }
            let codings = head.fields.list(of: "Content-Encoding")
                .map { $0.lowercased() }.filter { $0 != "identity" }
            let isCompressed = codings == ["gzip"] || codings == ["x-gzip"]
            guard type?.lowercased() == "text/event-stream",
                // A coding for which we never asked is none that we read.
                codings.isEmpty || isCompressed && request.acceptsCompression
            else { return .ends(.wrongContentType) }
            guard version == .http1 else { return .opens(.http2, isCompressed: isCompressed) }
            do {
                let framing = try HTTPBodyFraming(of: head, to: request.method.name)
                return .opens(.http1(framing), isCompressed: isCompressed)
            } catch {
                return .ends(.peerViolatedProtocol(code: CloseCode.protocolError.rawValue))
            }
        }
    }
#endif
