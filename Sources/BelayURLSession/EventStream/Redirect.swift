import Foundation

/// Which redirects an event stream follows.
enum Redirect {
    /// Whether the redirect stays in the origin that was asked: scheme, host and port.
    ///
    /// Nothing is taken off the request, since nobody new is told it. Source: RFC 6454 §4.
    static func isFollowed(from origin: URL?, to target: URL?) -> Bool {
        guard let origin = origin.flatMap(Origin.init) else { return false }
        return origin == target.flatMap(Origin.init)
    }

    private struct Origin: Hashable {
        let scheme: String
        let host: String
        let port: Int

        init?(_ url: URL) {
            guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased() else {
                return nil
            }
            (self.scheme, self.host) = (scheme, host)
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }
}
