/// An IP address as a number, without port and zone.
package struct IPAddress: Hashable, Sendable {
    /// The protocol that it is an address of.
    package enum Family: Hashable, Sendable, CaseIterable {
        case v4, v6

        /// The length of an address in bytes.
        package var byteCount: Int { self == .v4 ? 4 : 16 }
    }

    /// The protocol that it is an address of.
    package let family: Family
    private let high: UInt64
    private let low: UInt64

    /// The address that stands in `bytes` in network order; nil for another length than 4 or 16.
    package init?(_ bytes: RawSpan) {
        switch bytes.byteCount {
        case 4:
            self.init(.v4, 0, UInt64(bytes.number(at: 0, UInt32.self).bigEndian))
        case 16:
            self.init(
                .v6, bytes.number(at: 0, UInt64.self).bigEndian,
                bytes.number(at: 8, UInt64.self).bigEndian)
        default:
            return nil
        }
    }

    private init(_ family: Family, _ high: UInt64, _ low: UInt64) {
        (self.family, self.high, self.low) = (family, high, low)
    }

    /// IPv4 from its four bytes, as they are written.
    package static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> IPAddress {
        IPAddress(.v4, 0, UInt64(a) << 24 | UInt64(b) << 16 | UInt64(c) << 8 | UInt64(d))
    }

    /// IPv6 from its two halves, as they are written.
    package static func v6(_ high: UInt64, _ low: UInt64) -> IPAddress {
        IPAddress(.v6, high, low)
    }

    /// The bytes in network order.
    package var bytes: [UInt8] {
        let all = [high, low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
        return Array(all.suffix(family.byteCount))
    }

    /// How far away an address means something.
    package enum Reach: Int, Comparable, Sendable {
        /// On this machine.
        case machine
        /// On one link.
        case link
        /// Beyond it.
        case beyond

        package static func < (left: Reach, right: Reach) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// How far away it means something. Source: RFC 1122 §3.2.1.3, RFC 3927 §2.1, RFC 4291 §2.5.
    package var reach: Reach {
        switch family {
        case .v4 where low >> 24 == 127: .machine
        case .v4 where low >> 16 == 0xA9FE: .link
        case .v6 where high == 0 && low == 1: .machine
        case .v6 where high >> 54 == 0xFE80 >> 6: .link
        case .v4, .v6: .beyond
        }
    }
}

extension RawSpan {
    /// The number at `offset`, in the order of this machine. Traps where it does not fit in.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, _: Number.Type
    ) -> Number {
        unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)
    }
}
