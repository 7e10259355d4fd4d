import Dispatch
import Synchronization

private let everyMonitor = Mutex<[NWPathMonitor]>([])

extension NWPathMonitor {
    /// What was asked of a monitor, in order.
    public enum Call: Hashable, Sendable {
        case made, madeForOneInterface, handlerSet, started, currentPathRead, cancelled
    }

    /// Every monitor that was made by `body`. For one caller at a time.
    public static func made(by body: () throws -> Void) rethrows -> [NWPathMonitor] {
        everyMonitor.withLock { $0 = [] }
        try body()
        return everyMonitor.withLock { $0 }
    }

    /// What was asked of this monitor, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Calls the handler with a path on the monitor's queue, also after its cancellation: a call
    /// may be under way then.
    public func report(
        _ status: NWPath.Status, because reason: NWPath.UnsatisfiedReason = .notAvailable,
        over interface: NWInterface = .wifi, through gateway: NWEndpoint = .router,
        isExpensive: Bool = false, isConstrained: Bool = false
    ) {
        let (handler, queue) = state.withLock { ($0.handler, $0.queue) }
        let path = NWPath(
            status: status, unsatisfiedReason: reason, availableInterfaces: [interface],
            gateways: [gateway], isExpensive: isExpensive, isConstrained: isConstrained)
        queue?.async { handler?(path) }
    }

    func register(_ call: Call) {
        state.withLock { $0.calls.append(call) }
        everyMonitor.withLock { $0.append(self) }
    }
}

extension NWInterface {
    /// A phone's Wi-Fi.
    public static let wifi = NWInterface(type: .wifi, name: "en0")
    /// Its cellular network.
    public static let cellular = NWInterface(type: .cellular, name: "pdp_ip0")
}

extension NWEndpoint {
    /// A router at home.
    public static let router = NWEndpoint.hostPort(host: "192.0.2.1", port: "0")
    /// A phone that lends its network.
    public static let hotspot = NWEndpoint.hostPort(host: "198.51.100.1", port: "0")
}

extension NWPath.Status {
    /// A status that only a later system knows. The enumeration is laid out in one byte, and a
    /// client of a library that may grow must read any. Not 3, by which an optional means nil.
    public static var ofTheFuture: NWPath.Status { unsafeBitCast(UInt8(100), to: Self.self) }
}

extension NWPath.UnsatisfiedReason {
    /// A reason that only a later system knows; see `NWPath.Status.ofTheFuture`.
    public static var ofTheFuture: Self { unsafeBitCast(UInt8(100), to: Self.self) }
}
