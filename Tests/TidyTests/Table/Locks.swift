/// The files that may hold a lock, always a `Mutex`, each with its reason (STYLE §5).
enum Locks {
    static let files: [String: String] = [
        "Sources/Belay/Delivery/DeliveryQueue.swift":
            "the one hand-over from the domain to the app's task",
        "Sources/Belay/Delivery/Latest.swift":
            "the newest value is read from any isolation, also synchronously",
        "Sources/Belay/EventStream/MemoryLedger.swift":
            "the domain reads the cursor that the handler's task moves",
        "Sources/BelayTCP/Loop/DispatchPoller.swift":
            "Dispatch's queue reports readiness to the thread that waits",
        "Sources/BelayTCP/Loop/EventLoop.swift":
            "other threads hand their jobs over to the loop's thread",
        "Sources/BelayTesting/Loop/ManualLoop.swift":
            "an executor is handed jobs from any thread and cannot be an actor",
        "Sources/BelayTesting/Transport/ScriptedChannel.swift":
            "the test reads what the domain recorded",
        "Sources/BelayTesting/Transport/ScriptedPathObserver.swift":
            "the test reads what the domain recorded",
        "Sources/BelayTesting/Transport/ScriptedTransport.swift":
            "the test reads what the domain recorded",
        "Sources/BelayURLSession/SessionDelegateBridge.swift":
            "delegate calls come in on a queue of their own",
    ]
}
