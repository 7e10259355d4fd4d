import BelayCore
import BelayTransport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// How a session of ours is set up: it keeps nothing, adds nothing of its own, and leaves time
    /// to the driver.
    static var belay: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = .endless
        configuration.timeoutIntervalForResource = .endless
        return configuration
    }
}

extension TimeInterval {
    /// A year in seconds. URLSession's timers count whole seconds on Linux, cut connections that
    /// are merely quiet, and name no cause; heartbeat, idle and open timeouts are the driver's.
    static let endless: TimeInterval = 365 * 24 * 60 * 60
}

extension URLRequest {
    /// A request to `url` with the application's fields and `own`, which no field may replace.
    ///
    /// Check before what stands in `own`: URLSession leaves out a field whose value would end its
    /// line, and says nothing.
    /// - Throws: `invalidRequest(.url)` for an address that Foundation cannot read.
    init(
        to url: ConnectionURL, fields: [RequestField], own: [(name: String, value: String)],
        without reserved: [String] = []
    ) throws(SessionFailure) {
        let text = "\(url.scheme.rawValue)://\(url.authority)\(url.target)"
        guard let url = URL(string: text) else { throw .invalidRequest(.url) }
        self.init(url: url, timeoutInterval: .endless)
        let names = Set((reserved + own.map(\.name) + Self.transportFields).map { $0.lowercased() })
        for field in fields where !names.contains(field.name.lowercased()) {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        for field in own {
            setValue(field.value, forHTTPHeaderField: field.name)
        }
    }

    /// What the session writes itself.
    private static let transportFields = [
        "Host", "Connection", "Content-Length", "Transfer-Encoding",
    ]
}
