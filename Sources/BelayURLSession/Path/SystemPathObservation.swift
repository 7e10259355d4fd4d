#if canImport(Darwin) || BELAY_APPLE_STUBS
    import BelayCore
    import BelayTransport
    import Network
    import Synchronization

    /// One monitor, from its start to its cancellation.
    ///
    /// It is asked for nothing: what `currentPath` says before the first call of the handler is no
    /// fact about any network, and after it the call itself is newer. It watches every interface:
    /// which one leads somewhere is the system's choice, and Wi-Fi is no proof of being online.
    final class SystemPathObservation: PathObservation {
        private let monitor = NWPathMonitor()

        /// Begins. Call in the domain; it reports in a later turn.
        init(on domain: DispatchDomain, sink: PathSink) {
            let changes = ChangeCount()
            // The monitor reports on the domain's own queue, so nothing stands between its report
            // and the check of the generation. Set before the start: the first call comes at once.
            monitor.pathUpdateHandler = { path in
                sink(PathUpdate(path, change: changes.count(path)))
            }
            monitor.start(queue: domain.queue)
        }

        deinit {
            // The system keeps a monitor that was started until it is cancelled.
            monitor.cancel()
        }

        func cancel() {
            monitor.cancel()
        }
    }

    /// Counts the changes of a path: the first call tells what was there, and each further one is a
    /// change, also with a path that is equal, for what made it another one need not show. Only
    /// what shows to be another cost of the same way, or another reason for none, is no change.
    private final class ChangeCount: Sendable {
        private let state = Mutex((count: UInt32(0), newest: NWPath?.none))

        /// Call on the queue, where paths come one after another.
        func count(_ path: NWPath) -> UInt32 {
            state.withLock { state in
                let isSamePath = state.newest.map { path.isOnlySaidAnew(after: $0) } ?? false
                if !isSamePath { state.count &+= 1 }
                state.newest = path
                return state.count
            }
        }
    }

    extension NWPath {
        /// Whether another cost or reason is all that differs, and one does. Wi-Fi and a phone's
        /// hotspot are one interface, and differ in cost and gateway.
        fileprivate func isOnlySaidAnew(after other: NWPath) -> Bool {
            guard status == other.status, availableInterfaces == other.availableInterfaces,
                gateways == other.gateways
            else { return false }
            return (isExpensive, isConstrained) != (other.isExpensive, other.isConstrained)
                || PathReason(self) != PathReason(other)
        }
    }

    extension PathUpdate {
        /// What Apple's path says, as one of its observation's changes.
        init(_ path: NWPath, change: UInt32) {
            self.init(
                PathState(path.status), expensive: PathTrait(path.isExpensive),
                constrained: PathTrait(path.isConstrained), change: change,
                reason: PathReason(path))
        }
    }

    extension PathReason {
        /// Why Apple's path is not satisfied. A path that is has no reason, and `notAvailable` says
        /// that none is given; one that was not there when this was written is none, either.
        init?(_ path: NWPath) {
            guard path.status != .satisfied else { return nil }
            switch path.unsatisfiedReason {
            case .cellularDenied: self = .cellularDenied
            case .wifiDenied: self = .wifiDenied
            case .localNetworkDenied: self = .localNetworkDenied
            case .vpnInactive: self = .vpnInactive
            case .notAvailable: return nil
            @unknown default: return nil
            }
        }
    }

    extension PathState {
        /// The state of the same meaning; of a status that was not there when this was written,
        /// nothing is known.
        init(_ status: NWPath.Status) {
            switch status {
            case .satisfied: self = .available
            case .unsatisfied: self = .unavailable
            case .requiresConnection: self = .needsConnection
            @unknown default: self = .unknown
            }
        }
    }
#endif
