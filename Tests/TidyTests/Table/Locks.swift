/// The files that may hold a lock, always a `Mutex`, each with its reason (STYLE §5).
enum Locks {
    static let files: [String: String] = [
        "Sources/BelayTCP/Loop/EventLoop.swift":
            "other threads hand their jobs over to the loop's thread",
        "Sources/BelayTesting/ManualClock.swift":
            "a clock is asked from any isolation and cannot be an actor",
        "Sources/BelayURLSession/SessionDelegateBridge.swift":
            "delegate calls come in on a queue of their own",
    ]
}
