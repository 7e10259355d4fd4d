/// Why a listener could not be opened: address, port and cause.
package struct ListenError: Error, Hashable, Sendable {
    /// What was to be listened on.
    package let host: String
    /// The port; 0 lets the system choose.
    package let port: UInt16
    /// `nil` when `host` is no numeric address.
    package let cause: SocketError?
}

extension ListenError: CustomStringConvertible {
    /// One line without a full stop, for a command to print.
    package var description: String {
        guard let cause else { return "\(host) is no IPv4 or IPv6 address" }
        let place = SocketAddress(numeric: host, port: port).map(\.description) ?? host
        let reason =
            switch cause {
            case .addressInUse: "another program listens there"
            case .accessDenied: "this port takes rights that the program has not"
            case .addressNotAvailable: "the address is none of this machine's"
            case .outOfDescriptors: "no file descriptor is left"
            default: "\(cause)"
            }
        return "cannot listen on \(place): \(reason)"
    }
}
