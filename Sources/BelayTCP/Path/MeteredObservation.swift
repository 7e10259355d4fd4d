#if os(Linux)
    import BelayCore

    /// Hears what NetworkManager says of metering, while there is a bus, and while it is there.
    ///
    /// All of it happens beside the path: nothing here is waited for.
    final class MeteredObservation {
        /// The most messages taken in a turn; a bus must not hold up connections.
        private static let budget = 32

        private let loop: EventLoop
        private let address: String?
        private let report: (PathTrait) -> Void
        private var machine = MeteredMachine()
        private var bus: MeteredBus?
        private var descriptor: Int32?
        private var timer: LoopTimer?
        private var armed: Milliseconds?

        /// Called on the loop when an input was handled; for measurements.
        var handled: ((MeteredMachine.State) -> Void)?

        /// Does nothing before the first `pathLooked`. Call on the loop, where it reports each
        /// change; before the first, all is unknown.
        ///
        /// - Parameter address: D-Bus's way to write it; nil for the system's bus.
        init(
            on loop: EventLoop, at address: String?, report: @escaping (PathTrait) -> Void
        ) {
            loop.preconditionOnLoop()
            (self.loop, self.address, self.report) = (loop, address, report)
            timer = LoopTimer(on: loop) { [weak self] in self?.handle(.deadlineReached) }
        }

        /// The path was looked at. Where there was no bus, there may be one now.
        func pathLooked() { handle(.looked) }

        func cancel() {
            loop.preconditionOnLoop()
            handle(.stopped)
            timer = nil
        }

        // MARK: The machine

        private func handle(_ input: MeteredMachine.Input) {
            for action in machine.handle(input, now: loop.now) { perform(action) }
            handled?(machine.state)
            let deadline = machine.nextDeadline
            guard deadline != armed else { return }
            armed = deadline
            timer?.arm(at: deadline)
        }

        private func perform(_ action: MeteredMachine.Action) {
            switch action {
            case .open: open()
            case .ask(let owner): if bus?.ask(owner) == false { handle(.failed) }
            case .report(let trait): report(trait)
            case .close: close()
            }
        }

        private func open() {
            do throws(MeteredBus.Absence) {
                bus = try MeteredBus(at: address)
                awaitNews()
            } catch {
                switch error {
                case .noLibrary: handle(.impossible)
                case .refused: handle(.refused)
                }
            }
        }

        /// Both in one turn: the poller forgets a socket with its last descriptor.
        private func close() {
            bus = nil
            closeDescriptor()
        }

        // MARK: The bus

        private func takeNews() {
            for _ in 0..<Self.budget {
                // Handling a piece of news may close it.
                guard let bus else { return }
                switch bus.step() {
                case .idle: return awaitNews()
                case .other: continue
                case .news(let input): handle(input)
                case .failed: return handle(.failed)
                }
            }
            // What it has already read is reported by no poller.
            loop.putOff { [weak self] in self?.takeNews() }
        }

        private func awaitNews() {
            guard let bus else { return }
            do throws(MeteredBus.Absence) {
                if let next = try bus.takeDescriptor() { register(next) }
            } catch {
                return handle(.failed)
            }
            guard let descriptor, let wishes = bus.wishes else { return handle(.failed) }
            do throws(SocketError) {
                try loop.watch(descriptor, for: wishes)
            } catch {
                handle(.failed)
            }
        }

        private func register(_ next: Int32) {
            closeDescriptor()
            descriptor = next
            loop.register(
                PathSocketEnd { [weak self] in
                    self?.takeNews()
                } stop: { [weak self] in
                    self?.close()
                }, next)
        }

        private func closeDescriptor() {
            guard let descriptor else { return }
            self.descriptor = nil
            loop.close(descriptor)
        }
    }
#endif
