/// A question to the kernel about its links, addresses and routes.
package enum NetlinkRequest: Hashable, Sendable {
    /// Every link, then `done`.
    case links
    /// Every address, then `done`.
    case addresses
    /// The one way to a destination, by all rules and tables, or why there is none. No packet
    /// leaves for it.
    case route(to: IPAddress)

    /// The bytes of the request; what answers it bears `sequence`.
    package func encoded(sequence: UInt32) -> [UInt8] {
        switch self {
        case .links:
            // No statistics: they are most of the answer (IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS).
            message(
                NetlinkType.getLink, Self.wholeTable, sequence,
                [UInt8](repeating: 0, count: 16) + attribute(29, Self.bytes(of: UInt32(8))))
        case .addresses:
            message(
                NetlinkType.getAddress, Self.wholeTable, sequence, [UInt8](repeating: 0, count: 8))
        case .route(let destination):
            message(
                NetlinkType.getRoute, Self.request, sequence,
                [destination.family == .v4 ? 2 : 10, UInt8(destination.family.byteCount * 8)]
                    + [UInt8](repeating: 0, count: 10) + attribute(1, destination.bytes))
        }
    }

    // NLM_F_REQUEST, NLM_F_DUMP.
    private static let request: UInt16 = 0x1
    private static let wholeTable: UInt16 = 0x301

    private func message(
        _ type: UInt16, _ flags: UInt16, _ sequence: UInt32, _ body: [UInt8]
    ) -> [UInt8] {
        Self.bytes(of: UInt32(NetlinkHeader.byteCount + body.count)) + Self.bytes(of: type)
            + Self.bytes(of: flags) + Self.bytes(of: sequence) + Self.bytes(of: UInt32(0)) + body
    }

    private func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        Self.bytes(of: UInt16(4 + value.count)) + Self.bytes(of: type) + value
    }

    private static func bytes<Number: FixedWidthInteger & BitwiseCopyable>(
        of number: Number
    ) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }
}
