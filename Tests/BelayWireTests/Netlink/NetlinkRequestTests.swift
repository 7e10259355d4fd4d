import Testing

@testable import BelayWire

/// The layout is that of the machine; the bytes here are those of a little-endian one.
@Suite(.enabled(if: UInt16(littleEndian: 1) == 1, "the bytes are those of a little-endian machine"))
struct `A netlink request` {
    @Test(arguments: [
        (
            NetlinkRequest.links,
            """
            28000000 1200 0103 07000000 00000000 00000000000000000000000000000000 \
            0800 1d00 08000000
            """
        ),
        (.addresses, "18000000 1600 0103 07000000 00000000 0000000000000000"),
        (
            .route(to: .v4(203, 0, 113, 1)),
            "24000000 1a00 0100 07000000 00000000 02200000 00000000 00000000 0800 0100 cb007101"
        ),
        (
            .route(to: .v6(0x2001_0DB8_0000_0000, 2)),
            """
            30000000 1a00 0100 07000000 00000000 0a800000 00000000 00000000 1400 0100 \
            20010db8000000000000000000000002
            """
        ),
    ])
    func `has the bytes that the kernel expects`(_ request: NetlinkRequest, _ hex: String) {
        #expect(request.encoded(sequence: 7) == [UInt8](hex: hex))
    }
}
