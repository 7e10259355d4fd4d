#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Keeps a ledger's file to one processor: a lock on an empty file beside it, since the ledger's
/// own is another one after each commit.
///
/// The system lets it go with the process, however that ends. It holds between two ledgers of one
/// process, too, and no child keeps it.
final class FileLock: Sendable {
    let descriptor: Int32

    /// `nil` where somebody else has it.
    init?(path: String) throws(FileLedgerError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw LedgerFile.error(path, .cannotOpen) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        let error = LedgerFile.error(path, .inputOutput)
        // The descriptor is closed by `deinit`.
        guard error.code == EWOULDBLOCK else { throw error }
        return nil
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Not by closing alone: a child has the descriptor too from its fork to its exec, and the
        // lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
