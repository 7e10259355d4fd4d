#if os(Linux)
    import CLinux
    import Glibc

    /// A socket to the kernel's links, addresses and routes.
    struct RouteSocket {
        /// What a socket is told of without asking.
        enum Notices: UInt32 {
            case none = 0
            /// What may change a path: RTNLGRP_LINK (bit 0), IFADDR (4, 8), ROUTE (6, 10) and RULE
            /// (7, 18) of both IP versions, and NEXTHOP (31), which routes may share. A kernel
            /// passes over a group that it does not know.
            case ofPaths = 0x8004_05D1
        }

        /// What one receive brought.
        enum Receipt {
            /// So many bytes of the kernel's.
            case messages(Int)
            /// From somebody else; to be passed over.
            case foreign
            /// The kernel had more to say than the socket holds.
            case overrun
            case nothing
            case failed(SocketError)
        }

        let descriptor: Int32
        /// Its number among the sockets of this kind.
        let port: UInt32

        init(_ notices: Notices) throws(SocketError) {
            var port: UInt32 = 0
            descriptor = clinux_route_socket(notices.rawValue, &port)
            guard descriptor >= 0 else { throw SocketError(errno) }
            self.port = port
        }

        func send(_ bytes: [UInt8]) throws(SocketError) {
            guard clinux_route_send(descriptor, bytes, bytes.count) == bytes.count else {
                throw SocketError(errno)
            }
        }

        /// One datagram. One that does not fit into `buffer` is no answer.
        func receive(into buffer: UnsafeMutableRawBufferPointer) -> Receipt {
            while true {
                var sender: UInt32 = 0
                let count = clinux_route_receive(
                    descriptor, buffer.baseAddress, buffer.count, &sender)
                if count >= 0 {
                    guard sender == 0 else { return .foreign }
                    return count <= buffer.count
                        ? .messages(count) : .failed(SocketError(EMSGSIZE))
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: return .nothing
                case ENOBUFS: return .overrun
                default: return .failed(SocketError(errno))
                }
            }
        }
    }
#endif
