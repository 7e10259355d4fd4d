/// One message of the kernel about its links, addresses and routes (rtnetlink), as far as the
/// state of a path is judged by it.
///
/// Numbers stand in the order of the machine, since no message ever leaves it.
/// Source: linux/netlink.h, linux/rtnetlink.h, linux/if_link.h, linux/if_addr.h.
package enum NetlinkMessage: Hashable, Sendable {
    case link(NetlinkLink)
    case address(NetlinkAddress)
    case route(NetlinkRoute)
    /// A dump is complete; a code other than 0 says that it is not.
    case done(code: Int32)
    /// A request failed, with the negative `errno`; 0 is an acknowledgement.
    case failed(code: Int32)
    /// The kernel lost messages.
    case overrun
    /// Anything else, which says nothing about a path.
    case other(type: UInt16)
}

/// What stands in front of every message.
package struct NetlinkHeader: Hashable, Sendable {
    /// The length in bytes.
    static let byteCount = 16

    /// The kind of message.
    package let type: UInt16
    private let flags: UInt16
    /// The number of the request that it answers.
    package let sequence: UInt32

    /// A header, as it stands there.
    package init(type: UInt16, flags: UInt16, sequence: UInt32) {
        (self.type, self.flags, self.sequence) = (type, flags, sequence)
    }

    /// What was dumped changed meanwhile: the dump may show what never was (NLM_F_DUMP_INTR).
    package var isInterrupted: Bool { flags & 0x10 != 0 }
}

/// A network interface.
package struct NetlinkLink: Hashable, Sendable {
    /// Its number, greater than 0.
    package let index: Int32
    private let flags: UInt32

    /// A link with its flags (IFF_…).
    package init(index: Int32, flags: UInt32) {
        (self.index, self.flags) = (index, flags)
    }

    /// It leads to this machine itself.
    package var isLoopback: Bool { flags & NetlinkFlag.loopback != 0 }

    /// It was switched on, is ready for traffic, and its cable, radio or process is there.
    package var isRunning: Bool {
        let needed = NetlinkFlag.up | NetlinkFlag.running | NetlinkFlag.lowerUp
        return flags & needed == needed
    }
}

/// An address of this machine.
package struct NetlinkAddress: Hashable, Sendable {
    /// The address itself, not that of the other end of the link.
    package let address: IPAddress
    /// The number of its interface.
    package let link: Int32
    private let flags: UInt32

    /// An address with its flags (IFA_F_…).
    package init(address: IPAddress, link: Int32, flags: UInt32) {
        (self.address, self.link, self.flags) = (address, link, flags)
    }

    /// Duplicate address detection is over, and nobody else has it. An optimistic address may be
    /// used before. Source: RFC 4862 §5.4, RFC 4429.
    package var isUsable: Bool {
        if flags & NetlinkFlag.duplicate != 0 { return false }
        return flags & NetlinkFlag.tentative == 0 || flags & NetlinkFlag.optimistic != 0
    }
}

/// The way that the kernel would take.
package struct NetlinkRoute: Hashable, Sendable {
    /// What becomes of a packet.
    package enum Kind: Hashable, Sendable {
        /// It goes out.
        case unicast
        /// It stays on this machine.
        case local
        /// It is dropped, refused, or meant for many.
        case other
    }

    /// What becomes of a packet.
    package let kind: Kind
    /// The protocol.
    package let family: IPAddress.Family
    /// The interface that it leaves by, or nil where the kernel names none.
    package let link: Int32?
    /// The next host, or nil where the destination is on the link.
    package let gateway: IPAddress?
    /// The address it would come from, or nil where this machine has none for it.
    package let source: IPAddress?
    private let flags: UInt32

    /// A route with its flags (RTM_F_…, RTNH_F_…).
    package init(
        kind: Kind, family: IPAddress.Family, link: Int32?, gateway: IPAddress?,
        source: IPAddress?, flags: UInt32
    ) {
        (self.kind, self.family, self.link) = (kind, family, link)
        (self.gateway, self.source, self.flags) = (gateway, source, flags)
    }

    /// The kernel keeps it, and knows that nothing gets through: dead, or its link is down.
    package var isDead: Bool { flags & NetlinkFlag.deadRoute != 0 }
}

enum NetlinkFlag {
    // Of links: IFF_UP, IFF_LOOPBACK, IFF_RUNNING, IFF_LOWER_UP.
    static let up: UInt32 = 0x1
    static let loopback: UInt32 = 0x8
    static let running: UInt32 = 0x40
    static let lowerUp: UInt32 = 0x1_0000
    // Of addresses: IFA_F_OPTIMISTIC, IFA_F_DADFAILED, IFA_F_TENTATIVE.
    static let optimistic: UInt32 = 0x4
    static let duplicate: UInt32 = 0x8
    static let tentative: UInt32 = 0x40
    // Of routes: RTNH_F_DEAD, RTNH_F_LINKDOWN.
    static let deadRoute: UInt32 = 0x1 | 0x10
}

/// The numbers of kinds of messages.
enum NetlinkType {
    static let failed: UInt16 = 2
    static let done: UInt16 = 3
    static let overrun: UInt16 = 4
    static let newLink: UInt16 = 16
    static let getLink: UInt16 = 18
    static let newAddress: UInt16 = 20
    static let getAddress: UInt16 = 22
    static let newRoute: UInt16 = 24
    static let getRoute: UInt16 = 26
}
