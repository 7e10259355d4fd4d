import BelayWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable {
    private enum Host: Hashable, Sendable {
        /// In network order, as `in_addr` holds it.
        case v4(UInt32)
        /// Sixteen bytes as they stand in the address, in two halves; the zone's number.
        case v6(UInt64, UInt64, zone: UInt32)
    }

    private let host: Host
    /// 0 lets the system choose, when listening.
    package let port: UInt16

    /// Reads a numeric address, `127.0.0.1`, `::1` or `fe80::1%eth0`; `nil` for anything else.
    package init?(numeric text: String, port: UInt16) {
        self.port = port
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            host = .v4(v4.s_addr)
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var v6 = in6_addr()
        guard let address = parts.first, inet_pton(AF_INET6, String(address), &v6) == 1 else {
            return nil
        }
        var zone: UInt32 = 0
        if parts.count == 2 {
            zone = UInt32(parts[1]) ?? if_nametoindex(String(parts[1]))
            guard zone != 0 else { return nil }
        }
        host = Self.v6(v6, zone: zone)
    }

    /// What the system says; `nil` for a family other than IPv4 and IPv6.
    init?(_ raw: UnsafePointer<sockaddr>) {
        switch Int32(raw.pointee.sa_family) {
        case AF_INET:
            let v4 = UnsafeRawPointer(raw).loadUnaligned(as: sockaddr_in.self)
            host = .v4(v4.sin_addr.s_addr)
            port = UInt16(bigEndian: v4.sin_port)
        case AF_INET6:
            let v6 = UnsafeRawPointer(raw).loadUnaligned(as: sockaddr_in6.self)
            host = Self.v6(v6.sin6_addr, zone: v6.sin6_scope_id)
            port = UInt16(bigEndian: v6.sin6_port)
        default:
            return nil
        }
    }

    /// What only this machine can reach.
    package var isLoopback: Bool {
        switch host {
        case .v4(let address): UInt32(bigEndian: address) >> 24 == 127
        case .v6(let high, let low, _): high == 0 && UInt64(bigEndian: low) == 1
        }
    }

    /// The address without the port, as it is written.
    package var hostText: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let size = socklen_t(text.count)
        var suffix = ""
        switch host {
        case .v4(let address):
            var raw = in_addr(s_addr: address)
            inet_ntop(AF_INET, &raw, &text, size)
        case .v6(let high, let low, let zone):
            var raw = (high, low)
            inet_ntop(AF_INET6, &raw, &text, size)
            if zone != 0 { suffix = "%\(zone)" }
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) + suffix
    }

    /// The address alone.
    var ipAddress: IPAddress {
        switch host {
        case .v4(let address):
            withUnsafeBytes(of: address) { .v4($0[0], $0[1], $0[2], $0[3]) }
        case .v6(let high, let low, _):
            .v6(UInt64(bigEndian: high), UInt64(bigEndian: low))
        }
    }

    var family: Int32 {
        switch host {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Calls `body` with the form that the system takes.
    func withRaw<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch host {
        case .v4(let address):
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            raw.sin_addr.s_addr = address
            return Self.rebound(&raw, body)
        case .v6(let high, let low, let zone):
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            raw.sin6_scope_id = zone
            withUnsafeMutableBytes(of: &raw.sin6_addr) { bytes in
                bytes.storeBytes(of: high, as: UInt64.self)
                bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
            }
            return Self.rebound(&raw, body)
        }
    }

    private static func rebound<Raw, Result>(
        _ raw: inout Raw, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &raw) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Raw>.size))
            }
        }
    }

    private static func v6(_ raw: in6_addr, zone: UInt32) -> Host {
        withUnsafeBytes(of: raw) { bytes in
            .v6(
                bytes.loadUnaligned(as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self), zone: zone)
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:80` or `[::1]:80`.
    package var description: String {
        family == AF_INET6 ? "[\(hostText)]:\(port)" : "\(hostText):\(port)"
    }
}
