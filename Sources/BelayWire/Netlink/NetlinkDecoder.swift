/// Why bytes are no netlink messages. Nothing after the fault is reported.
package enum NetlinkFault: Error, Hashable, Sendable {
    /// A message without a whole header.
    case headerCut
    /// A message says that it is shorter than its header, or longer than what there is.
    case messageLength
    /// A message ends within what its kind always has.
    case bodyCut
    /// An attribute says that it is shorter than its header, or longer than its message.
    case attributeLength
    /// An attribute has not the length of what it stands for.
    case attributeValue
}

/// Reads what the kernel sent in one datagram.
package enum NetlinkDecoder {
    /// Reports each message in `bytes`, in order, until one is at fault.
    ///
    /// Linear in the bytes, keeps none of them, and takes no length on trust.
    package static func decode(
        _ bytes: RawSpan, report: (NetlinkHeader, NetlinkMessage) -> Void
    ) throws(NetlinkFault) {
        var start = 0
        while start < bytes.byteCount {
            let rest = bytes.byteCount - start
            guard rest >= NetlinkHeader.byteCount else { throw .headerCut }
            let length = Int(bytes.number(at: start, UInt32.self))
            guard NetlinkHeader.byteCount...rest ~= length else { throw .messageLength }
            let header = NetlinkHeader(
                type: bytes.number(at: start + 4, UInt16.self),
                flags: bytes.number(at: start + 6, UInt16.self),
                sequence: bytes.number(at: start + 8, UInt32.self))
            let body = bytes.extracting(start + NetlinkHeader.byteCount..<start + length)
            report(header, try message(header.type, body))
            // The last one needs no padding.
            start += aligned(length)
        }
    }

    private static func message(
        _ type: UInt16, _ body: RawSpan
    ) throws(NetlinkFault) -> NetlinkMessage {
        switch type {
        case NetlinkType.newLink: .link(try link(body))
        case NetlinkType.newAddress: try address(body)
        case NetlinkType.newRoute: try route(body)
        case NetlinkType.done: .done(code: try code(body))
        case NetlinkType.failed: .failed(code: try code(body))
        case NetlinkType.overrun: .overrun
        default: .other(type: type)
        }
    }

    private static func code(_ body: RawSpan) throws(NetlinkFault) -> Int32 {
        guard body.byteCount >= 4 else { throw .bodyCut }
        return body.number(at: 0, Int32.self)
    }

    /// `struct ifinfomsg`: what a path needs to know stands in it, and not in attributes.
    private static func link(_ body: RawSpan) throws(NetlinkFault) -> NetlinkLink {
        guard body.byteCount >= 16 else { throw .bodyCut }
        return NetlinkLink(
            index: body.number(at: 4, Int32.self), flags: body.number(at: 8, UInt32.self))
    }

    /// `struct ifaddrmsg`. IFA_LOCAL is ours where the link has two ends, and IFA_ADDRESS then the
    /// other end's; IFA_FLAGS holds what does not fit into the eight bits of the header.
    private static func address(_ body: RawSpan) throws(NetlinkFault) -> NetlinkMessage {
        guard body.byteCount >= 8 else { throw .bodyCut }
        guard let family = family(body) else { return .other(type: NetlinkType.newAddress) }
        var flags = UInt32(body.number(at: 2, UInt8.self))
        var (local, address): (IPAddress?, IPAddress?)
        try forEachAttribute(in: body, after: 8) { (type, value) throws(NetlinkFault) in
            switch type {
            case 1: address = try ipAddress(value, family)
            case 2: local = try ipAddress(value, family)
            case 8: flags = try number(value)
            default: break
            }
        }
        guard let own = local ?? address else { return .other(type: NetlinkType.newAddress) }
        return .address(
            NetlinkAddress(address: own, link: body.number(at: 4, Int32.self), flags: flags))
    }

    /// `struct rtmsg`.
    private static func route(_ body: RawSpan) throws(NetlinkFault) -> NetlinkMessage {
        guard body.byteCount >= 12 else { throw .bodyCut }
        guard let family = family(body) else { return .other(type: NetlinkType.newRoute) }
        var (gateway, source): (IPAddress?, IPAddress?)
        var link: Int32?
        try forEachAttribute(in: body, after: 12) { (type, value) throws(NetlinkFault) in
            switch type {
            case 4: link = Int32(bitPattern: try number(value))
            case 5: gateway = try ipAddress(value, family)
            case 7: source = try ipAddress(value, family)
            default: break
            }
        }
        let kind: NetlinkRoute.Kind =
            switch body.number(at: 7, UInt8.self) {
            case 1: .unicast
            case 2: .local
            default: .other
            }
        return .route(
            NetlinkRoute(
                kind: kind, family: family, link: link, gateway: gateway, source: source,
                flags: body.number(at: 8, UInt32.self)))
    }

    /// AF_INET and AF_INET6 of Linux; nil for the rest.
    private static func family(_ body: RawSpan) -> IPAddress.Family? {
        switch body.number(at: 0, UInt8.self) {
        case 2: .v4
        case 10: .v6
        default: nil
        }
    }

    private static func forEachAttribute(
        in body: RawSpan, after header: Int,
        _ take: (UInt16, RawSpan) throws(NetlinkFault) -> Void
    ) throws(NetlinkFault) {
        var start = header
        // What is too short for an attribute is padding.
        while body.byteCount - start >= 4 {
            let length = Int(body.number(at: start, UInt16.self))
            guard 4...body.byteCount - start ~= length else { throw .attributeLength }
            // The two upper bits say that it is nested, and in which order its bytes are.
            let type = body.number(at: start + 2, UInt16.self) & 0x3FFF
            try take(type, body.extracting(start + 4..<start + length))
            start += aligned(length)
        }
    }

    private static func ipAddress(
        _ value: RawSpan, _ family: IPAddress.Family
    ) throws(NetlinkFault) -> IPAddress {
        guard value.byteCount == family.byteCount, let address = IPAddress(value) else {
            throw .attributeValue
        }
        return address
    }

    private static func number(_ value: RawSpan) throws(NetlinkFault) -> UInt32 {
        guard value.byteCount == 4 else { throw .attributeValue }
        return value.number(at: 0, UInt32.self)
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}
