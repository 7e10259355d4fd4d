package import BelayWire

/// Where a path is to lead to: one address for each IP version, or for one of them.
///
/// The kernel is asked for the way to it; nothing is ever sent there. The address of the server is
/// best where it is known, since rules and tables may lead different destinations different ways.
package struct PathDestinations: Hashable, Sendable {
    /// The IPv4 destination, or nil if that way is not to be asked for.
    package let v4: IPAddress?
    /// The IPv6 destination, or nil if that way is not to be asked for.
    package let v6: IPAddress?

    /// Any place in the Internet: addresses that nobody has, for documentation.
    ///
    /// Source: RFC 5737 §3, RFC 3849 §2.
    package static let anywhere = PathDestinations(
        v4: .v4(203, 0, 113, 1), v6: .v6(0x2001_0db8_ffff_0000, 1))

    private init(v4: IPAddress?, v6: IPAddress?) {
        (self.v4, self.v6) = (v4, v6)
    }

    /// One destination.
    package init(_ address: IPAddress) {
        self.init(
            v4: address.family == .v4 ? address : nil, v6: address.family == .v6 ? address : nil)
    }

    /// Reads a numeric address, `192.0.2.1` or `2001:db8::1`; nil for anything else.
    package init?(numeric text: String) {
        guard let address = SocketAddress(numeric: text, port: 0) else { return nil }
        self.init(address.ipAddress)
    }
}
