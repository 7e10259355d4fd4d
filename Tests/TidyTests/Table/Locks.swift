/// The files that may hold a lock, always a `Mutex`, each with its reason (STYLE §5).
enum Locks {
    static let files: [String: String] = [
        "Sources/Belay/Connection/CloseCount.swift":
            "a close is heard from its call on, whichever thread it is",
        "Sources/Belay/Delivery/DeliveryQueue.swift":
            "the one hand-over from the domain to the app's task",
        "Sources/Belay/Delivery/Latest.swift":
            "the newest value is read from any isolation, also synchronously",
        "Sources/Belay/EventStream/MemoryLedger.swift":
            "the domain reads the cursor that the handler's task moves",
        "Sources/BelayAcceptance/ContractService/ContractOutbox.swift":
            "evidence of a commit is told synchronously, and who posts waits for it",
        "Sources/BelayAcceptance/Evidence/EvidenceLog.swift":
            "the domain and the app's task record into one row",
        "Sources/BelayAcceptance/Runner/ScriptedPath.swift":
            "a step reports through what the domain began",
        "Sources/BelayFile/FileLedger.swift":
            "the domain reads the cursor; a file is written by one task at a time",
        "Sources/BelaySQLite/SQLiteDatabase.swift":
            "a connection is one thread's at a time",
        "Sources/BelaySQLite/SQLiteLedger.swift":
            "the domain reads the cursor; a transaction is one task's from its begin to its end",
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
        "Sources/BelayURLSession/Path/SystemPathObservation.swift":
            "a monitor's handler may be called on any thread, for all that its type says",
        "Sources/BelayTransport/Answer.swift":
            "any thread answers, or cancels, whichever comes first",
    ]
}
