/// The files that may hold a lock, always a `Mutex`, each with its reason (STYLE §5).
enum Locks {
    static let files: [String: String] = [
        "Sources/Belay/Delivery/DeliveryQueue.swift":
            "the domain puts in, the app's task takes out, and neither may wait for the other",
        "Sources/Belay/Delivery/Latest.swift":
            "the domain publishes, any number of the app's tasks observe",
        "Sources/Belay/EventStream/MemoryLedger.swift":
            "it outlives connections, and is asked from the app's tasks and from the driver",
        "Sources/BelayTCP/Loop/EventLoop.swift":
            "other threads hand their jobs over to the loop's thread",
        "Sources/BelayTesting/Loop/ManualLoop.swift":
            "jobs come in from any thread; the test's thread runs them",
        "Sources/BelayTesting/ManualClock.swift":
            "a clock is asked from any isolation and cannot be an actor",
        "Sources/BelayTesting/Transport/ScriptedChannel.swift":
            "the domain orders, the test reads what was asked",
        "Sources/BelayTesting/Transport/ScriptedPathObserver.swift":
            "the domain begins and cancels, the test reads what was begun",
        "Sources/BelayTesting/Transport/ScriptedTransport.swift":
            "the domain opens, the test reads what was opened",
        "Sources/BelayURLSession/SessionDelegateBridge.swift":
            "delegate calls come in on a queue of their own",
    ]
}
