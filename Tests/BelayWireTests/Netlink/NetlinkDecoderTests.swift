import Testing

@testable import BelayWire

/// What was decoded, as far as it got.
struct DecodedNetlink: Equatable {
    var messages: [NetlinkMessage] = []
    var headers: [NetlinkHeader] = []
    var fault: NetlinkFault?

    init(_ bytes: [UInt8]) {
        do throws(NetlinkFault) {
            try NetlinkDecoder.decode(bytes.span.bytes) { header, message in
                headers.append(header)
                messages.append(message)
            }
        } catch {
            fault = error
        }
    }
}

/// Bytes as the kernel lays them out, with each length as it should be or as a test says.
enum NetlinkBytes {
    static func message(
        _ type: UInt16, flags: UInt16 = 2, sequence: UInt32 = 7, length: UInt32? = nil,
        _ body: [UInt8] = []
    ) -> [UInt8] {
        padded(
            bytes(length ?? UInt32(16 + body.count)) + bytes(type) + bytes(flags)
                + bytes(sequence) + bytes(UInt32(0)) + body)
    }

    static func attribute(_ type: UInt16, length: UInt16? = nil, _ value: [UInt8]) -> [UInt8] {
        padded(bytes(length ?? UInt16(4 + value.count)) + bytes(type) + value)
    }

    static func link(index: Int32 = 2, flags: UInt32) -> [UInt8] {
        message(16, [0, 0, 1, 0] + bytes(index) + bytes(flags) + [0, 0, 0, 0])
    }

    static func address(
        family: UInt8 = 2, flags: UInt8 = 0, link: Int32 = 2, _ attributes: [UInt8]...
    ) -> [UInt8] {
        message(20, [family, 24, flags, 0] + bytes(link) + attributes.flatMap { $0 })
    }

    static func route(
        family: UInt8 = 2, type: UInt8 = 1, flags: UInt32 = 0, _ attributes: [UInt8]...
    ) -> [UInt8] {
        let head: [UInt8] = [family, 32, 0, 0, 254, 0, 0, type]
        return message(24, head + bytes(flags) + attributes.flatMap { $0 })
    }

    static func bytes<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }
}

@Suite struct `A netlink decoder` {
    typealias Bytes = NetlinkBytes

    static let v6: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let messages: [NetlinkMessage]
        let fault: NetlinkFault?

        init(
            _ name: String, _ bytes: [UInt8], _ messages: NetlinkMessage...,
            fault: NetlinkFault? = nil
        ) {
            (testDescription, self.bytes, self.messages) = (name, bytes, messages)
            self.fault = fault
        }
    }

    static let messages = [
        Case("nothing", []),
        Case(
            "a link", Bytes.link(index: 3, flags: 0x1_0043),
            .link(NetlinkLink(index: 3, flags: 0x1_0043))),
        Case(
            "an address", Bytes.address(Bytes.attribute(1, [10, 0, 0, 1])),
            .address(NetlinkAddress(address: .v4(10, 0, 0, 1), link: 2, flags: 0))),
        Case(
            "ours of a link with two ends",
            Bytes.address(Bytes.attribute(1, [10, 0, 0, 1]), Bytes.attribute(2, [10, 0, 0, 2])),
            .address(NetlinkAddress(address: .v4(10, 0, 0, 2), link: 2, flags: 0))),
        Case(
            "an address whose flags do not fit into eight bits",
            Bytes.address(
                family: 10, flags: 0x40, Bytes.attribute(1, v6),
                Bytes.attribute(8, [0x00, 0x01, 0, 0])),
            .address(
                NetlinkAddress(address: .v6(0x2001_0DB8 << 32, 1), link: 2, flags: 0x100))),
        Case("an address without one", Bytes.address(), .other(type: 20)),
        Case(
            "an address of another family", Bytes.address(family: 7, Bytes.attribute(1, [1])),
            .other(type: 20)),
        Case(
            "a route",
            Bytes.route(
                flags: 0x200, Bytes.attribute(4, [2, 0, 0, 0]), Bytes.attribute(5, [10, 0, 0, 1]),
                Bytes.attribute(7, [10, 0, 0, 2])),
            .route(
                NetlinkRoute(
                    kind: .unicast, family: .v4, link: 2, gateway: .v4(10, 0, 0, 1),
                    source: .v4(10, 0, 0, 2), flags: 0x200))),
        Case(
            "a route to this machine", Bytes.route(type: 2),
            .route(
                NetlinkRoute(
                    kind: .local, family: .v4, link: nil, gateway: nil, source: nil, flags: 0))),
        Case(
            "a route into nothing", Bytes.route(family: 10, type: 7),
            .route(
                NetlinkRoute(
                    kind: .other, family: .v6, link: nil, gateway: nil, source: nil, flags: 0))),
        Case("a route of MPLS", Bytes.route(family: 28), .other(type: 24)),
        Case(
            "an attribute that is marked as nested, and padding behind it",
            Bytes.message(
                20, [2, 24, 0, 0, 2, 0, 0, 0] + Bytes.attribute(0x8001, [10, 0, 0, 1]) + [0, 0]),
            .address(NetlinkAddress(address: .v4(10, 0, 0, 1), link: 2, flags: 0))),
        Case("the end of a dump", Bytes.message(3, [0, 0, 0, 0]), .done(code: 0)),
        Case(
            "an error", Bytes.message(2, Bytes.bytes(Int32(-101)) + [1, 2, 3, 4]),
            .failed(code: -101)),
        Case("lost messages", Bytes.message(4), .overrun),
        Case("what is none of ours", Bytes.message(28, [1, 2, 3]), .other(type: 28)),
        Case(
            "two in one datagram", Bytes.link(flags: 1) + Bytes.message(3, [0, 0, 0, 0]),
            .link(NetlinkLink(index: 2, flags: 1)), .done(code: 0)),
    ]

    static let faults = [
        Case("half a header", Array(Bytes.message(4).prefix(15)), fault: .headerCut),
        Case("a length below the header", Bytes.message(4, length: 15), fault: .messageLength),
        Case("no length", Bytes.message(4, length: 0), fault: .messageLength),
        Case("a length beyond the end", Bytes.message(4, length: 17), fault: .messageLength),
        Case("the greatest length", Bytes.message(4, length: .max), fault: .messageLength),
        Case("half a link", Bytes.message(16, [0, 0, 1, 0]), fault: .bodyCut),
        Case("half an address", Bytes.message(20, [2, 24, 0]), fault: .bodyCut),
        Case("half a route", Bytes.message(24, [2, 24, 0]), fault: .bodyCut),
        Case("an end without a code", Bytes.message(3, [0, 0]), fault: .bodyCut),
        Case(
            "an attribute beyond its message",
            Bytes.address(Bytes.attribute(1, length: 9, [10, 0, 0, 1])), fault: .attributeLength),
        Case(
            "an attribute shorter than its header",
            Bytes.address(Bytes.attribute(1, length: 3, [10, 0, 0, 1])), fault: .attributeLength),
        Case(
            "an IPv4 address of five bytes", Bytes.address(Bytes.attribute(1, [1, 2, 3, 4, 5])),
            fault: .attributeValue),
        Case(
            "an IPv6 address of four", Bytes.address(family: 10, Bytes.attribute(1, [1, 2, 3, 4])),
            fault: .attributeValue),
        Case(
            "a link's number of two bytes", Bytes.route(Bytes.attribute(4, [1, 2])),
            fault: .attributeValue),
        Case(
            "a link's number of eight", Bytes.route(Bytes.attribute(4, [1, 2, 3, 4, 5, 6, 7, 8])),
            fault: .attributeValue),
        Case(
            "a fault behind a good message", Bytes.message(4) + [1, 2, 3], .overrun,
            fault: .headerCut),
    ]

    @Test(arguments: messages + faults)
    func `reads what is there, and says what is wrong`(_ test: Case) {
        let decoded = DecodedNetlink(test.bytes)
        #expect(decoded.messages == test.messages)
        #expect(decoded.fault == test.fault)
    }

    @Test(arguments: messages)
    func `shows nothing that is not in the whole where a datagram was cut`(_ test: Case) {
        let cuts = (0..<test.bytes.count).map { DecodedNetlink(Array(test.bytes[..<$0])) }
        #expect(cuts.allSatisfy { test.messages.starts(with: $0.messages) })
        #expect(cuts.dropFirst().allSatisfy { $0.fault != nil || !$0.messages.isEmpty })
    }

    @Test func `tells which request is answered, and whether a dump was interrupted`() {
        let decoded = DecodedNetlink(
            Bytes.message(4, flags: 0x12, sequence: .max) + Bytes.message(4, flags: 2, sequence: 3))
        #expect(decoded.headers.map(\.sequence) == [.max, 3])
        #expect(decoded.headers.map(\.isInterrupted) == [true, false])
        #expect(decoded.headers.map(\.type) == [4, 4])
    }

    /// Every attribute's and message's length that could be there, right or wrong.
    @Test(arguments: [0, 4, 5, 16, 20, 21])
    func `takes no length on trust`(at place: Int) {
        let whole = Bytes.address(Bytes.attribute(1, [10, 0, 0, 1])) + Bytes.link(flags: 1)
        for value in UInt8.min...UInt8.max {
            var bytes = whole
            bytes[place] = value
            let decoded = DecodedNetlink(bytes)
            #expect(decoded.messages.count <= 2)
        }
    }
}
