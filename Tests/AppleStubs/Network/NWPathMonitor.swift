// As much of Apple's Network framework as Belay uses, by its documented declarations, so that the
// adapter compiles and runs on Linux. What tests control or read stands in NWPathMonitor+Script.
public import Dispatch
import Synchronization

/// A path, as it was when it was reported.
public struct NWPath: Sendable {
    /// Like the framework's: a client must expect statuses that it does not know.
    public enum Status: Hashable, Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    /// Like the statuses, a list that may grow.
    public enum UnsatisfiedReason: Hashable, Sendable {
        case notAvailable
        case cellularDenied
        case wifiDenied
        case localNetworkDenied
        case vpnInactive
    }

    /// Whether the path may be used.
    public let status: Status
    /// Why it may not.
    public let unsatisfiedReason: UnsatisfiedReason
    /// The interfaces it may use, in the order of preference.
    public let availableInterfaces: [NWInterface]
    /// The gateways of its interfaces, in the same order.
    public let gateways: [NWEndpoint]
    /// Whether it costs its user.
    public let isExpensive: Bool
    /// Whether its user asked for little traffic.
    public let isConstrained: Bool
}

/// An end of a connection, as far as it is compared.
public enum NWEndpoint: Hashable, Sendable {
    /// By its address.
    case hostPort(host: String, port: String)
}

/// An interface that a path may use.
public struct NWInterface: Hashable, Sendable {
    /// What kind of interface.
    public enum InterfaceType: Hashable, Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    /// Of this one.
    public let type: InterfaceType
    /// As the system calls it: `en0`.
    public let name: String
}

/// A monitor that reports what a test says.
public final class NWPathMonitor: Sendable {
    struct State {
        var handler: (@Sendable (NWPath) -> Void)?
        var queue: DispatchQueue?
        var calls: [Call] = []
    }

    let state = Mutex(State())

    /// A monitor of every interface.
    public init() {
        register(.made)
    }

    /// A monitor of one kind of interface.
    public init(requiredInterfaceType: NWInterface.InterfaceType) {
        register(.madeForOneInterface)
    }

    /// A monitor of the other kinds of interface.
    public init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        register(.madeForOneInterface)
    }

    /// Called on the queue with each path.
    @preconcurrency
    public final var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            state.withLock { state in
                state.calls.append(.handlerSet)
                state.handler = newValue
            }
        }
    }

    /// The path that was reported last, or one that is no fact.
    public var currentPath: NWPath {
        state.withLock { $0.calls.append(.currentPathRead) }
        return NWPath(
            status: .unsatisfied, unsatisfiedReason: .notAvailable, availableInterfaces: [],
            gateways: [], isExpensive: false, isConstrained: false)
    }

    /// Starts, once.
    public func start(queue: DispatchQueue) {
        state.withLock { state in
            state.calls.append(.started)
            state.queue = queue
        }
    }

    /// Ends it for good.
    public func cancel() {
        state.withLock { $0.calls.append(.cancelled) }
    }
}
