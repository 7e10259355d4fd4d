#if os(Linux)
    import BelayCore
    import BelayTransport
    import CCurl
    import COpenSSL

    /// One request over one connected socket by libcurl, and what came back and was not taken yet.
    ///
    /// Its owner is told that something came, in a later turn, and takes what it wants of it. While
    /// more waits than the mark, libcurl reads no further, and the peer feels it. Call on the loop.
    final class CurlTransfer {
        /// Bytes of a body that wait before libcurl is held: what a turn reads of one connection.
        static let mark = EventLoop.receiveBudget

        let handle: OpaquePointer
        /// How it ended; what came before it may still be taken.
        private(set) var end: CurlEnd?
        /// Whether the response came by HTTP/2, as far as a head told.
        private(set) var isHTTP2 = false

        private let multi: CurlMulti
        private let loop: EventLoop
        private let policy: TLSPolicy
        private let host: String
        private let isSecure: Bool
        private let headLimit: Int
        /// The connection, until libcurl takes its socket.
        private var stream: TCPStream?
        private var moved: (() -> Void)?
        private var head: [UInt8] = []
        private var body: [UInt8] = []
        private var takesHead = true
        private var isHeld = false
        private var isNoted = false
        private var fault: TLSPolicy.Invalid?
        /// The socket, while libcurl has it.
        private var descriptor: Int32?
        private var hasPeerEnded = false
        /// Written by OpenSSL when an alert came.
        private let alert = UnsafeMutablePointer<copenssl_alert>.allocate(capacity: 1)

        /// Begins; `nil` where no memory is left. The stream is in the clear, and given away.
        ///
        /// `moved` is called when something came or the transfer ended, not from within a call.
        init?(
            _ request: CurlRequest, over stream: TCPStream, tls policy: TLSPolicy, headLimit: Int,
            moved: @escaping () -> Void
        ) {
            (loop, multi) = (stream.loop, stream.loop.curl)
            guard let address = stream.peerAddress,
                let handle = multi.make(request, to: address, Self.callbacks)
            else { return nil }
            self.handle = handle
            (self.policy, self.headLimit) = (policy, headLimit)
            (host, isSecure) = (request.host, request.isSecure)
            (self.stream, self.moved) = (stream, moved)
            alert.initialize(to: COPENSSL_NO_ALERT)
            ccurl_set_context(handle, Unmanaged.passUnretained(self).toOpaque())
            guard multi.add(self) else { return nil }
        }

        deinit {
            ccurl_destroy(handle)
            alert.deallocate()
        }

        // MARK: What its owner asks for

        /// Ends it at once, with its connection; nothing is told. Idempotent.
        func cancel() {
            moved = nil
            multi.remove(self)
            stream?.drop()
            stream = nil
        }

        /// The bytes of heads that came, as HTTP/1.1 writes them.
        func takeHead() -> [UInt8] {
            defer { head = [] }
            return head
        }

        /// From now on heads are passed over: those behind a body are none of ours.
        func passOverHeads() {
            takesHead = false
            head = []
        }

        /// Whether bytes wait to be taken.
        var hasBody: Bool { !body.isEmpty }

        /// The bytes that came behind the head. libcurl goes on reading.
        func takeBody() -> [UInt8] {
            defer { body = [] }
            if isHeld {
                isHeld = false
                loop.putOff { [self] in multi.resume(self) }
            }
            return body
        }

        // MARK: What libcurl asks for

        /// What it has done became known.
        func ended(_ report: CurlEnd.Report) {
            stream?.drop()
            stream = nil
            // Newer versions close it later.
            if let descriptor { hasPeerEnded = Descriptor.hasPeerEnded(descriptor) }
            end = CurlEnd(
                report, isSecure: isSecure, fault: fault, alert: CurlEnd.Alert(alert.pointee),
                hasPeerEnded: hasPeerEnded)
            note()
        }

        /// The call into libcurl has returned.
        func tell() {
            isNoted = false
            let moved = moved
            if end != nil { self.moved = nil }
            moved?()
        }

        private func note() {
            guard !isNoted else { return }
            isNoted = true
            multi.note(self)
        }

        private func takeDescriptor() -> Int32 {
            // A second time it would be a retry of libcurl's own: the driver decides those.
            guard let descriptor = stream?.giveAway() else { return -1 }
            stream = nil
            self.descriptor = descriptor
            multi.adopt(descriptor, of: self)
            return descriptor
        }

        private func headCame(_ bytes: UnsafeRawBufferPointer) -> ccurl_reception {
            guard takesHead else { return CCURL_TAKEN }
            // The line of a newer version says the same otherwise.
            let isNewer = bytes.starts(with: "HTTP/2".utf8) || bytes.starts(with: "HTTP/3".utf8)
            if isNewer {
                isHTTP2 = true
                head += "HTTP/1.1".utf8
            }
            head += bytes[(isNewer ? 6 : 0)...]
            note()
            // The reader finds out what is too long; here only memory is bounded.
            return head.count > headLimit ? CCURL_REFUSED : CCURL_TAKEN
        }

        private func bodyCame(_ bytes: UnsafeRawBufferPointer) -> ccurl_reception {
            note()
            guard body.count < Self.mark else {
                isHeld = true
                return CCURL_LATER
            }
            body += bytes
            return CCURL_TAKEN
        }

        private func secure(_ context: UnsafeMutableRawPointer?) -> Bool {
            let outcome = policy.withSettings(host: host) { settings in
                withUnsafePointer(to: settings) { copenssl_configure(context, $0, alert) }
            }
            guard outcome != COPENSSL_NO_FAULT else { return true }
            fault = policy.invalid(outcome)
            return false
        }

        /// Its socket is about to be closed.
        func closes(_ descriptor: Int32) {
            hasPeerEnded = Descriptor.hasPeerEnded(descriptor)
            self.descriptor = nil
        }

        // MARK: The way into C

        private static var callbacks: ccurl_callbacks {
            ccurl_callbacks(
                descriptor: { CurlTransfer.of($0).takeDescriptor() },
                head: {
                    CurlTransfer.of($0).headCame(UnsafeRawBufferPointer(start: $1, count: $2))
                },
                body: {
                    CurlTransfer.of($0).bodyCame(UnsafeRawBufferPointer(start: $1, count: $2))
                },
                secure: { CurlTransfer.of($0).secure($1) ? 1 : 0 })
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
            guard let context else { preconditionFailure("libcurl lost its context") }
            return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        }
    }
#endif
