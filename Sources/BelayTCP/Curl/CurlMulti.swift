#if os(Linux)
    import BelayCore
    import CCurl

    /// libcurl's transfers on one loop: the loop's poller watches their sockets, and libcurl's one
    /// timer hangs in the loop's wheel.
    ///
    /// Nothing of ours runs inside libcurl: its callbacks collect, and a transfer's owner is told
    /// when the call into libcurl has returned. So an owner may end any transfer at any time.
    final class CurlMulti {
        private unowned let loop: EventLoop
        /// `nil` when the loop has ended.
        private var multi: OpaquePointer?
        /// Those that libcurl has; it holds addresses of theirs.
        private var transfers: [OpaquePointer: CurlTransfer] = [:]
        /// Whose connection a socket is, until it is closed.
        private var owners: [Int32: CurlTransfer] = [:]
        /// Those that something came for in the present call.
        private var moved: [CurlTransfer] = []
        private var timer: LoopTimer?

        /// None yet; traps where no memory is left.
        init(on loop: EventLoop) {
            self.loop = loop
            guard let multi = Self.make() else { preconditionFailure("libcurl cannot begin") }
            self.multi = multi
            ccurl_multi_set_context(multi, Unmanaged.passUnretained(self).toOpaque())
        }

        private static func make() -> OpaquePointer? {
            var callbacks = ccurl_multi_callbacks(
                watch: { context, descriptor, reading, writing in
                    CurlMulti.of(context).watch(descriptor, reading != 0, writing != 0)
                },
                timer: { context, milliseconds in
                    CurlMulti.of(context).setTimer(milliseconds)
                },
                close: { context, descriptor in CurlMulti.of(context).close(descriptor) })
            return ccurl_multi_create(&callbacks)
        }

        deinit {
            if let multi { ccurl_multi_destroy(multi) }
        }

        /// Milliseconds until libcurl would do something by itself; `nil` for never.
        var nextAct: Milliseconds? {
            let timeout = ccurl_multi_timeout(multi)
            return timeout < 0 ? nil : Milliseconds(timeout)
        }

        /// Transfers that libcurl has.
        var count: Int { transfers.count }

        // MARK: What transfers ask for

        /// A transfer's own part in libcurl; `nil` where no memory is left.
        func make(
            _ request: CurlRequest, to address: SocketAddress, _ callbacks: ccurl_callbacks
        ) -> OpaquePointer? {
            request.withRaw(to: address) { request in
                withUnsafePointer(to: callbacks) { ccurl_create(multi, request, $0) }
            }
        }

        /// Begins a transfer; `false` where it cannot.
        func add(_ transfer: CurlTransfer) -> Bool {
            loop.preconditionOnLoop()
            transfers[transfer.handle] = transfer
            guard ccurl_multi_add(multi, transfer.handle) != 0 else {
                transfers[transfer.handle] = nil
                return false
            }
            return true
        }

        /// Ends a transfer and closes its socket. Idempotent.
        func remove(_ transfer: CurlTransfer) {
            loop.preconditionOnLoop()
            guard transfers.removeValue(forKey: transfer.handle) != nil else { return }
            ccurl_multi_remove(multi, transfer.handle)
            letTimerGo()
        }

        /// Goes on with a transfer that was held.
        func resume(_ transfer: CurlTransfer) {
            guard transfers[transfer.handle] != nil else { return }
            ccurl_resume(transfer.handle)
            tell()
        }

        /// Something came for `transfer`.
        func note(_ transfer: CurlTransfer) {
            moved.append(transfer)
        }

        // MARK: What the loop and libcurl ask for

        /// A socket is ready.
        func act(on descriptor: Int32, _ directions: Directions) {
            ccurl_multi_act(
                multi, descriptor, directions.contains(.reading) ? 1 : 0,
                directions.contains(.writing) ? 1 : 0)
            tell()
        }

        /// The loop ends: close all, and report nothing.
        func stop() {
            for transfer in transfers.values { transfer.cancel() }
            if let multi { ccurl_multi_destroy(multi) }
            multi = nil
        }

        /// Takes the socket of a transfer under watch.
        func adopt(_ descriptor: Int32, of transfer: CurlTransfer) {
            owners[descriptor] = transfer
            loop.handOver(descriptor, to: CurlSocket(descriptor, of: self))
        }

        private func close(_ descriptor: Int32) {
            owners.removeValue(forKey: descriptor)?.closes(descriptor)
            loop.close(descriptor)
        }

        private func tell() {
            var end = ccurl_end()
            while let handle = ccurl_multi_next_done(multi, &end) {
                guard let transfer = transfers.removeValue(forKey: handle) else { continue }
                ccurl_multi_remove(multi, handle)
                transfer.ended(CurlEnd.Report(code: end.code, systemError: end.system_error))
            }
            letTimerGo()
            let told = moved
            moved.removeAll(keepingCapacity: true)
            for transfer in told { transfer.tell() }
        }

        private func watch(_ descriptor: Int32, _ reading: Bool, _ writing: Bool) {
            var directions: Directions = []
            if reading { directions.insert(.reading) }
            if writing { directions.insert(.writing) }
            // epoll refuses where the system has no memory left: the driver's deadlines remain.
            try? loop.watch(descriptor, for: directions)
        }

        private func setTimer(_ milliseconds: Int) {
            guard milliseconds >= 0 else {
                timer?.arm(at: nil)
                return
            }
            let timer =
                timer ?? LoopTimer(on: loop) { [unowned self] in act(on: -1, []) }
            self.timer = timer
            timer.arm(at: loop.now.moved(by: Milliseconds(milliseconds)))
        }

        /// A timer holds its loop, which holds this.
        private func letTimerGo() {
            if transfers.isEmpty { timer = nil }
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlMulti {
            guard let context else { preconditionFailure("libcurl lost its context") }
            return Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
        }
    }

    /// The socket of one transfer, as the loop sees it.
    private final class CurlSocket: LoopSource {
        private let descriptor: Int32
        private unowned let multi: CurlMulti

        init(_ descriptor: Int32, of multi: CurlMulti) {
            (self.descriptor, self.multi) = (descriptor, multi)
        }

        func ready(_ directions: Directions) {
            multi.act(on: descriptor, directions)
        }

        func loopStopped() {
            multi.stop()
        }
    }
#endif
