extension FileRule {
    /// A lock stands only where the table of locks says why, and is a `Mutex`.
    static let locks = FileRule { file in
        guard file.room != nil else { return [] }
        return file.tokens.compactMap { token in
            if otherLocks.contains(token.text) {
                return file.finding(line: token.line, "\(token.text): a lock here is a Mutex")
            }
            guard token.text == "Mutex", Locks.files[file.path] == nil else { return nil }
            return file.finding(
                line: token.line, "a lock; Tests/TidyTests/Table/Locks.swift gives no reason for it"
            )
        }
    }

    private static let otherLocks: Set<Substring> = [
        "NSLock", "NSRecursiveLock", "NSCondition", "pthread_mutex_t", "pthread_rwlock_t",
        "os_unfair_lock", "OSAllocatedUnfairLock",
    ]
}
