#if os(Linux)
    import BelayCore
    package import BelayTransport
    import BelayWire

    /// Watches the path by what Linux's kernel says of links, addresses and routes (rtnetlink).
    ///
    /// Needs no right and no other program, sends nothing to the network, and costs nothing while
    /// nothing changes. The kernel does not know what costs money: NetworkManager is asked, where
    /// there is one, and else it stays unknown. Nobody knows of a wish for little traffic.
    package final class RoutePathObserver: PathObserver {
        private let loop: EventLoop
        private let destinations: PathDestinations
        private let bus: String?

        /// An observer whose observations live on `loop`, and ask on the bus at this address
        /// (D-Bus's way to write it); nil for the system's.
        package init(
            on loop: EventLoop = .shared, towards destinations: PathDestinations = .anywhere,
            bus: String? = nil
        ) {
            (self.loop, self.destinations, self.bus) = (loop, destinations, bus)
        }

        package var domain: any SerialDomain { loop }

        package func observe(_ sink: PathSink) -> any PathObservation {
            RoutePathObservation(on: loop, towards: destinations, bus: bus, sink: sink)
        }
    }

    /// One observation: its machine, the two sockets that the machine asks for, and beside them
    /// what NetworkManager says of cost. All is published by the one machine.
    ///
    /// Notices come by one socket and answers by another, so that neither can push the other out.
    package final class RoutePathObservation: PathObservation {
        /// The most notices taken in a turn; what is left is reported again by the next wait.
        private static let noticeBudget = 64

        private let loop: EventLoop
        private let sink: PathSink
        private var machine: PathWatchMachine
        private var sockets: Sockets?
        private var metered: MeteredObservation?
        private var timer: LoopTimer?
        private var armed: Milliseconds?

        private struct Sockets {
            let notices: RouteSocket
            let answers: RouteSocket
        }

        /// Called on the loop when a look came to its end; for measurements.
        package var looked: ((_ count: UInt64) -> Void)?

        /// Begins. Call on the loop; it reports in a later turn.
        package init(
            on loop: EventLoop, towards destinations: PathDestinations, bus: String? = nil,
            sink: PathSink
        ) {
            loop.preconditionOnLoop()
            (self.loop, self.sink) = (loop, sink)
            machine = PathWatchMachine(towards: destinations)
            metered = MeteredObservation(on: loop, at: bus) { [weak self] in
                self?.handle(.priced($0))
            }
            timer = LoopTimer(on: loop) { [weak self] in self?.handle(.deadlineReached) }
            handle(.started)
        }

        package func cancel() {
            loop.preconditionOnLoop()
            handle(.stopped)
            metered?.cancel()
            metered = nil
            timer = nil
        }

        /// How often the kernel lost notices, since it had more than the socket holds.
        package private(set) var overruns: UInt64 = 0
        /// How many looks came to their end.
        package var looks: UInt64 { machine.looks }
        /// The number of the socket that is told of changes, while there is one.
        package var noticePort: UInt32? { sockets?.notices.port }

        // MARK: The machine

        private func handle(_ input: PathWatchMachine.Input) {
            let before = machine.looks
            for action in machine.handle(input, now: loop.now) { perform(action) }
            if machine.looks != before {
                looked?(machine.looks)
                metered?.pathLooked()
            }
            let deadline = machine.nextDeadline
            guard deadline != armed else { return }
            armed = deadline
            timer?.arm(at: deadline)
        }

        private func perform(_ action: PathWatchMachine.Action) {
            switch action {
            case .open: open()
            case .ask(let request, let sequence): ask(request, sequence)
            case .report(let update): sink(update)
            case .close: close()
            }
        }

        private func ask(_ request: NetlinkRequest, _ sequence: UInt32) {
            guard let socket = sockets?.answers else { return }
            do throws(SocketError) {
                try socket.send(request.encoded(sequence: sequence))
            } catch {
                handle(.failed)
            }
        }

        /// The socket of notices first: what changes after it is noticed, what changed before is
        /// seen by the first look.
        private func open() {
            do throws(SocketError) {
                let notices = try RouteSocket(.ofPaths)
                try watch(notices) { [weak self] in self?.takeNotices() }
                do throws(SocketError) {
                    let answers = try RouteSocket(.none)
                    try watch(answers) { [weak self] in self?.takeAnswer() }
                    sockets = Sockets(notices: notices, answers: answers)
                } catch {
                    loop.close(notices.descriptor)
                    throw error
                }
                handle(.opened)
            } catch {
                handle(.failed)
            }
        }

        private func watch(
            _ socket: RouteSocket, _ isReadable: @escaping () -> Void
        ) throws(SocketError) {
            let end = PathSocketEnd(isReadable) { [weak self] in self?.close() }
            loop.register(end, socket.descriptor)
            do throws(SocketError) {
                try loop.watch(socket.descriptor, for: .reading)
            } catch {
                loop.close(socket.descriptor)
                throw error
            }
        }

        private func close() {
            guard let sockets else { return }
            self.sockets = nil
            loop.close(sockets.notices.descriptor)
            loop.close(sockets.answers.descriptor)
        }

        // MARK: The kernel

        /// What they say is not read: a look sees more.
        private func takeNotices() {
            guard let socket = sockets?.notices else { return }
            var somethingChanged = false
            for _ in 0..<Self.noticeBudget {
                switch loop.withScratch({ socket.receive(into: $0) }) {
                case .messages: somethingChanged = true
                case .overrun:
                    overruns &+= 1
                    somethingChanged = true
                case .foreign: continue
                case .failed: return handle(.failed)
                case .nothing:
                    if somethingChanged { handle(.noticed) }
                    return
                }
            }
            if somethingChanged { handle(.noticed) }
        }

        /// One datagram a turn: the tables of a large machine must not hold up its connections.
        private func takeAnswer() {
            guard let socket = sockets?.answers else { return }
            var messages: [(NetlinkHeader, NetlinkMessage)] = []
            let isRead = loop.withScratch { buffer in
                switch socket.receive(into: buffer) {
                case .messages(let count):
                    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    do throws(NetlinkFault) {
                        try NetlinkDecoder.decode(bytes.bytes) { messages.append(($0, $1)) }
                        return true
                    } catch {
                        return false
                    }
                case .foreign, .nothing: return true
                case .overrun, .failed: return false
                }
            }
            for (header, message) in messages { handle(.answered(header, message)) }
            if !isRead { handle(.failed) }
        }
    }
#endif
