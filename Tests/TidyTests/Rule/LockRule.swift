extension FileRule {
    /// A lock stands only where the table of locks says why, and is a `Mutex`.
    static let locks = FileRule { file in
        guard file.room != nil else { return [] }
        let others = file.tokens.filter { otherLocks.contains($0.text) }
            .map { file.finding(line: $0.line, "\($0.text): a lock here is a Mutex") }
        guard Locks.files[file.path] == nil,
            let mutex = file.tokens.first(where: { $0.text == "Mutex" })
        else { return others }
        return others + [
            file.finding(
                line: mutex.line, "a lock; Tests/TidyTests/Table/Locks.swift gives no reason for it"
            )
        ]
    }

    private static let otherLocks: Set<Substring> = [
        "NSLock", "NSRecursiveLock", "NSCondition", "pthread_mutex_t", "pthread_rwlock_t",
        "os_unfair_lock", "OSAllocatedUnfairLock",
    ]
}
