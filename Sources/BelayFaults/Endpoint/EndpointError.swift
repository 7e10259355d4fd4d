/// Why an endpoint was not started.
public enum EndpointError: Error, Hashable, Sendable {
    /// It was started before and not stopped.
    case alreadyStarted
    /// The host is no IPv4 or IPv6 address; names are not looked up.
    case notAnAddress(host: String)
    /// Other machines could reach the address, and `Exposure.anyAddress` was not said.
    case notLoopback(host: String)
    /// The system refused to listen; `reason` is one line for people.
    case cannotListen(host: String, port: UInt16, reason: String)
}

extension EndpointError: CustomStringConvertible {
    /// One line without a full stop, for a command to print.
    public var description: String {
        switch self {
        case .alreadyStarted: "the endpoint was started before"
        case .notAnAddress(let host): "\(host) is no IPv4 or IPv6 address"
        case .notLoopback(let host):
            "\(host) can be reached from other machines: say that it may, or use 127.0.0.1"
        case .cannotListen(_, _, let reason): reason
        }
    }
}

/// Who may reach an endpoint.
public enum Exposure: Hashable, Sendable {
    /// Programs of this machine only: 127.0.0.0/8 and ::1.
    case loopbackOnly
    /// Any machine that reaches the address. The endpoint has no access control.
    case anyAddress
}
