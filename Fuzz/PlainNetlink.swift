@testable import BelayWire

/// A second reader of netlink messages: slow, by slices and single bytes, and written apart from
/// the first.
struct PlainNetlink {
    private(set) var messages: [NetlinkMessage] = []
    private(set) var sequences: [UInt32] = []
    private(set) var fault: NetlinkFault?

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        do throws(NetlinkFault) {
            while !rest.isEmpty {
                guard rest.count >= 16 else { throw .headerCut }
                let length = Int(Self.number(rest.prefix(4)))
                guard length >= 16, length <= rest.count else { throw .messageLength }
                let message = rest.prefix(length)
                let type = UInt16(Self.number(message.dropFirst(4).prefix(2)))
                messages.append(try Self.read(type, Array(message.dropFirst(16))))
                sequences.append(UInt32(Self.number(message.dropFirst(8).prefix(4))))
                rest = rest.dropFirst(Self.padded(length))
            }
        } catch {
            fault = error
        }
    }

    private static func read(
        _ type: UInt16, _ body: [UInt8]
    ) throws(NetlinkFault) -> NetlinkMessage {
        switch type {
        case 2, 3:
            guard body.count >= 4 else { throw .bodyCut }
            let code = Int32(truncatingIfNeeded: number(body.prefix(4)))
            return type == 2 ? .failed(code: code) : .done(code: code)
        case 4:
            return .overrun
        case 16:
            guard body.count >= 16 else { throw .bodyCut }
            return .link(
                NetlinkLink(
                    index: Int32(truncatingIfNeeded: number(body[4..<8])),
                    flags: UInt32(number(body[8..<12]))))
        case 20:
            guard body.count >= 8 else { throw .bodyCut }
            return try readAddress(body)
        case 24:
            guard body.count >= 12 else { throw .bodyCut }
            return try readRoute(body)
        default:
            return .other(type: type)
        }
    }

    private static func readAddress(_ body: [UInt8]) throws(NetlinkFault) -> NetlinkMessage {
        guard [2, 10].contains(body[0]) else { return .other(type: 20) }
        let values = try attributes(
            body.dropFirst(8), sizes: [1: size(body[0]), 2: size(body[0]), 8: 4])
        guard let own = values[2] ?? values[1] else { return .other(type: 20) }
        return .address(
            NetlinkAddress(
                address: address(own), link: Int32(truncatingIfNeeded: number(body[4..<8])),
                flags: values[8].map { UInt32(number($0[...])) } ?? UInt32(body[2])))
    }

    private static func readRoute(_ body: [UInt8]) throws(NetlinkFault) -> NetlinkMessage {
        guard [2, 10].contains(body[0]) else { return .other(type: 24) }
        let values = try attributes(
            body.dropFirst(12), sizes: [4: 4, 5: size(body[0]), 7: size(body[0])])
        let kinds: [UInt8: NetlinkRoute.Kind] = [1: .unicast, 2: .local]
        return .route(
            NetlinkRoute(
                kind: kinds[body[7]] ?? .other, family: body[0] == 2 ? .v4 : .v6,
                link: values[4].map { Int32(truncatingIfNeeded: number($0[...])) },
                gateway: values[5].map(address), source: values[7].map(address),
                flags: UInt32(number(body[8..<12]))))
    }

    /// The last value of each type in `sizes`, which has that size or is at fault.
    private static func attributes(
        _ bytes: ArraySlice<UInt8>, sizes: [Int: Int]
    ) throws(NetlinkFault) -> [Int: [UInt8]] {
        var values: [Int: [UInt8]] = [:]
        var rest = bytes
        while rest.count >= 4 {
            let length = Int(number(rest.prefix(2)))
            guard length >= 4, length <= rest.count else { throw .attributeLength }
            let type = Int(number(rest.dropFirst(2).prefix(2))) % 0x4000
            let value = Array(rest.prefix(length).dropFirst(4))
            if let size = sizes[type] {
                guard value.count == size else { throw .attributeValue }
                values[type] = value
            }
            rest = rest.dropFirst(padded(length))
        }
        return values
    }

    private static func size(_ family: UInt8) -> Int { family == 2 ? 4 : 16 }

    private static func address(_ bytes: [UInt8]) -> IPAddress {
        if bytes.count == 4 { return .v4(bytes[0], bytes[1], bytes[2], bytes[3]) }
        func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return .v6(half(bytes[..<8]), half(bytes[8...]))
    }

    /// Little-endian: what the machines are that a fuzzer runs on.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func padded(_ length: Int) -> Int {
        length % 4 == 0 ? length : length + 4 - length % 4
    }
}
