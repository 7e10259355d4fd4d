/// The files that may do what others may not, each with its reason. An entry whose file stands and
/// no longer needs it is found and must go.
enum Exceptions {
    /// Files that may say `@unchecked Sendable` or `nonisolated(unsafe)`.
    static let unchecked: [String: String] = [
        "Sources/BelayTCP/Loop/EventLoop.swift":
            "the loop is the executor: its thread is the isolation that the compiler cannot see"
    ]

    /// Files outside the adapters that may ask which system this is.
    static let systems: [String: String] = [
        "Sources/Belay/DefaultTransport.swift":
            "which adapter an app gets is decided once, here",
        "Sources/Belay/Exports.swift":
            "URLSession can be told of a traffic policy on Apple's systems only",
        "Sources/BelayAcceptance/ContractService/ContractPoster.swift":
            "the system's HTTP client is a module of its own elsewhere than on Apple's systems",
        "Sources/BelayTesting/Loop/ThreadIdentity.swift":
            "the manual loop asserts its thread, and each system numbers threads its own way",
    ]

    /// Files that may start a `Task` and not keep it.
    static let unownedTasks: [String: String] = [:]
}
