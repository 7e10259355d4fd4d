#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CLinux
    import Glibc
#endif

/// The system's calls on descriptors, with their outcomes as values. No state.
enum Descriptor {
    /// What became of a read or a write.
    enum Transfer: Hashable {
        /// So many bytes; 0 is the end when reading.
        case bytes(Int)
        case wouldBlock
        case failed(SocketError)
    }

    /// How the system asks a silent peer: after so many seconds, at this interval, so often. The
    /// system's own two hours are longer than any translation of addresses on the way lasts.
    static let keptAlive: (after: Int32, interval: Int32, probes: Int32) = (60, 15, 4)

    /// A non-blocking TCP socket.
    static func makeSocket(_ family: Int32) throws(SocketError) -> Int32 {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw SocketError(errno) }
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
            guard descriptor >= 0 else { throw SocketError(errno) }
            setNonBlocking(descriptor)
        #endif
        return descriptor
    }

    /// A non-blocking pipe.
    static func makePipe() throws(SocketError) -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketError(errno) }
        for end in ends { setNonBlocking(end) }
        return (ends[0], ends[1])
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }

    /// Begins to connect; the outcome shows when the socket can be written.
    static func connect(_ descriptor: Int32, to address: SocketAddress) throws(SocketError) {
        let code = address.withRaw { raw, size in
            #if canImport(Darwin)
                Darwin.connect(descriptor, raw, size) == 0 ? 0 : errno
            #else
                Glibc.connect(descriptor, raw, size) == 0 ? 0 : errno
            #endif
        }
        // An interrupted attempt goes on by itself.
        guard code == 0 || code == EINPROGRESS || code == EINTR else { throw SocketError(code) }
    }

    /// The outcome of `connect`, or what has ended the socket since.
    static func pendingError(of descriptor: Int32) -> SocketError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
            return SocketError(errno)
        }
        return code == 0 ? nil : SocketError(code)
    }

    /// Whether the socket has connected to itself. The system may give an attempt the very port
    /// that it asks for, where nobody listens on that and it is one of those given away: the SYN
    /// then meets its own socket. Source: RFC 9293 §3.5, simultaneous open.
    static func isItsOwnPeer(_ descriptor: Int32) -> Bool {
        let peer = address(of: descriptor, getpeername)
        return peer != nil && peer == address(of: descriptor, getsockname)
    }

    /// Binds and listens; the address with the port that the system chose.
    static func listen(
        _ descriptor: Int32, on address: SocketAddress, backlog: Int32
    ) throws(SocketError) -> SocketAddress {
        // A port whose last connections wait in TIME-WAIT can be listened on again at once.
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        let code = address.withRaw { raw, size in bind(descriptor, raw, size) == 0 ? 0 : errno }
        guard code == 0 else { throw SocketError(code) }
        #if canImport(Darwin)
            let status = Darwin.listen(descriptor, backlog)
        #else
            let status = Glibc.listen(descriptor, backlog)
        #endif
        guard status == 0 else { throw SocketError(errno) }
        return Self.address(of: descriptor, getsockname) ?? address
    }

    /// The next waiting connection, non-blocking; `nil` when there is none.
    static func accept(_ listener: Int32) throws(SocketError) -> Int32? {
        while true {
            #if os(Linux)
                let descriptor = clinux_accept(listener)
            #else
                let descriptor = Darwin.accept(listener, nil, nil)
                if descriptor >= 0 { setNonBlocking(descriptor) }
            #endif
            if descriptor >= 0 { return descriptor }
            switch errno {
            case EAGAIN: return nil
            // The connection was gone before it was accepted: take the next.
            case EINTR, ECONNABORTED, EPROTO: continue
            default: throw SocketError(errno)
            }
        }
    }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer
    {
        transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Darwin)
            transfer { Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0) }
        #else
            // Without the flag a peer that has gone would end the process by SIGPIPE.
            transfer {
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
        #endif
    }

    /// Whether nothing is left to read but the peer's FIN or RST.
    static func hasPeerEnded(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        switch transfer({ recv(descriptor, &byte, 1, Int32(MSG_PEEK)) }) {
        case .bytes(let count): return count == 0
        case .wouldBlock: return false
        case .failed: return true
        }
    }

    /// Sends FIN after what was sent.
    static func shutdownWriting(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes `close` send RST and drop what was not sent.
    static func resetOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Small frames leave at once: the loop collects what belongs together. And a peer that
    /// vanished behind a silent stream is found by the system, two minutes later: no byte of ours
    /// would.
    static func prepareStream(_ descriptor: Int32) {
        let tcp = Int32(IPPROTO_TCP)
        setOption(descriptor, tcp, TCP_NODELAY, 1)
        setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Darwin)
            setOption(descriptor, tcp, TCP_KEEPALIVE, keptAlive.after)
        #else
            setOption(descriptor, tcp, TCP_KEEPIDLE, keptAlive.after)
        #endif
        setOption(descriptor, tcp, TCP_KEEPINTVL, keptAlive.interval)
        setOption(descriptor, tcp, TCP_KEEPCNT, keptAlive.probes)
        #if canImport(Darwin)
            setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The socket's own address by `getsockname`, or its peer's by `getpeername`.
    static func address(
        of descriptor: Int32,
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                ask(descriptor, raw, &size) == 0 ? SocketAddress(raw) : nil
            }
        }
    }

    private static func transfer(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .failed(SocketError(errno))
            }
        }
    }

    private static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
