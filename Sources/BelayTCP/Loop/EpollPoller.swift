#if os(Linux)
    import BelayCore
    import CLinux
    import Glibc

    /// Readiness by epoll.
    final class EpollPoller: Poller {
        private static let bellToken = UInt64.max

        private let epoll: Int32
        private let bell: Int32
        private var batch = [clinux_epoll_event](
            repeating: clinux_epoll_event(), count: Int(CLINUX_EPOLL_BATCH))

        init() throws(SocketError) {
            epoll = clinux_epoll_create()
            guard epoll >= 0 else { throw SocketError(errno) }
            bell = clinux_bell_create(epoll, Self.bellToken)
            guard bell >= 0 else {
                let cause = SocketError(errno)
                _ = Glibc.close(epoll)
                throw cause
            }
        }

        deinit {
            _ = Glibc.close(bell)
            _ = Glibc.close(epoll)
        }

        func watch(
            _ descriptor: Int32, token: UInt64, from old: Directions, to new: Directions
        ) throws(SocketError) {
            let change: clinux_epoll_change
            switch (old.isEmpty, new.isEmpty) {
            case (true, true): return
            case (true, false): change = CLINUX_EPOLL_ADD
            case (false, false): change = CLINUX_EPOLL_MODIFY
            // Left in with no events it would still report a hang-up, at every wait.
            case (false, true): change = CLINUX_EPOLL_REMOVE
            }
            let reading: UInt8 = new.contains(.reading) ? 1 : 0
            let writing: UInt8 = new.contains(.writing) ? 1 : 0
            guard clinux_epoll_change(epoll, change, descriptor, token, reading, writing) == 0
            else {
                throw SocketError(errno)
            }
        }

        func close(_ descriptor: Int32) {
            // The last descriptor of a socket takes it out of epoll when it is closed.
            _ = Glibc.close(descriptor)
        }

        func wait(for timeout: Milliseconds?, into events: inout [PollEvent]) {
            events.removeAll(keepingCapacity: true)
            let limit = timeout.map { Int32(clamping: $0) } ?? -1
            // Interrupted by a signal it returns -1: a wake-up without events.
            let count = batch.withUnsafeMutableBufferPointer {
                clinux_epoll_wait(epoll, $0.baseAddress, limit)
            }
            for index in 0..<max(0, Int(count)) where batch[index].token != Self.bellToken {
                var directions: Directions = []
                if batch[index].readable != 0 { directions.insert(.reading) }
                if batch[index].writable != 0 { directions.insert(.writing) }
                events.append(PollEvent(token: batch[index].token, directions: directions))
            }
        }

        func ring() {
            _ = clinux_bell_ring(bell)
        }
    }
#endif
