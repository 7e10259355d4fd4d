// As much of Foundation's URL loading as Belay tells of a traffic policy, by its documented
// declarations: Linux's Foundation lacks these properties. Stands in place of FoundationNetworking.
public import Foundation

/// A request, with what it may use.
public struct URLRequest: Sendable {
    /// Whether it may use a path that costs its user.
    public var allowsExpensiveNetworkAccess = true
    /// Whether it may use a path in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true

    /// A request that may use everything.
    public init(url: URL) {}
}

/// How a session is set up.
open class URLSessionConfiguration {
    /// Whether its tasks may use a path that costs its user.
    open var allowsExpensiveNetworkAccess = true
    /// Whether its tasks may use a path in Low Data Mode.
    open var allowsConstrainedNetworkAccess = true
    /// Whether a task waits for a path that it may use, instead of failing.
    open var waitsForConnectivity = false

    /// A session that keeps nothing.
    public static var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
}

extension URLError {
    /// Like the framework's: a client must expect reasons that it does not know.
    public enum NetworkUnavailableReason: Int, Sendable {
        case cellular
        case expensive
        case constrained
    }

    /// Why the network is unavailable to this task.
    public var networkUnavailableReason: NetworkUnavailableReason? {
        (errorUserInfo["NSURLErrorNetworkUnavailableReasonKey"] as? Int)
            .flatMap(NetworkUnavailableReason.init)
    }
}
