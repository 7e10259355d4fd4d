/// The requests of one attempt, each of which a redirect made of the one before.
///
/// Every transport follows redirects by this rule, and by none of its system's: those forward
/// credentials, or lose the body. Where it follows none the attempt ends with `handshakeRefused`
/// and the redirect's status. The next attempt begins again with the application's own request,
/// also after 301 and 308, as a browser's `EventSource` does.
/// Source: Fetch, 4.4 "HTTP-redirect fetch"; RFC 9110 §15.4.
package struct RedirectChain: Hashable, Sendable {
    /// The most redirects of one attempt, as in Fetch: a server that works in a browser works here.
    /// The driver's open timeout bounds the time of all of them together.
    package static let limit = 20

    /// What to ask for now.
    package private(set) var request: EventStreamRequest
    private var redirectCount = 0

    /// A chain that begins with the application's request.
    package init(_ request: EventStreamRequest) {
        self.request = request
    }

    /// Follows a response with this status and `Location`; `false` where it leads nowhere, and the
    /// request stays what it was.
    package mutating func follow(_ status: UInt16, to location: String?) -> Bool {
        guard redirectCount < Self.limit,
            let next = request.redirected(by: status, to: location)
        else { return false }
        request = next
        redirectCount += 1
        return true
    }
}

extension EventStreamRequest {
    /// The request that a redirect asks for; `nil` where it is not followed.
    ///
    /// What was asked for through TLS is never asked for in the clear.
    fileprivate func redirected(by status: UInt16, to location: String?) -> EventStreamRequest? {
        guard let location, !location.isEmpty, let target = try? url.resolved(location),
            target.scheme == .https || target.scheme == .http && url.scheme == .http
        else { return nil }
        var next = self
        switch status {
        case 301, 302:
            // What browsers have always made of it, and Fetch has made the rule.
            if method == .post { next.becomeGet() }
        case 303:
            next.becomeGet()
        case 307, 308:
            break
        default:
            return nil
        }
        if !target.isSameOrigin(as: url) { next.forgetWhoAsks() }
        next.url = target
        return next
    }

    private mutating func becomeGet() {
        method = .get
        body = nil
        fields.removeAll { Self.ofBody.contains($0.name.lowercased()) }
    }

    /// Another origin is told nothing that it could not be told in a browser without being asked
    /// first. Whether a field is a secret cannot be seen by its name: `X-Api-Key` is one.
    private mutating func forgetWhoAsks() {
        lastEventID = nil
        fields.removeAll { !Self.safe.contains($0.name.lowercased()) }
    }

    /// Source: Fetch, 2.2.2 "request-body-header name".
    private static let ofBody: Set = [
        "content-encoding", "content-language", "content-location", "content-type",
    ]

    /// What Fetch's 2.2.2 "CORS-safelisted request-header" lets through, what else describes the
    /// body, which goes too, and the program's name.
    private static let safe = ofBody.union(["accept-language", "user-agent"])
}
