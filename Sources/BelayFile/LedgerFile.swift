#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The system's calls on a ledger's file.
enum LedgerFile {
    /// The path without links, so that two names of a file are one.
    static func resolved(_ path: String) throws(FileLedgerError) -> String {
        if let whole = realpath(path) { return whole }
        // The file is not there yet; its folder must be.
        let cut = path.lastIndex(of: "/")
        let name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        let folder = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", let folder = realpath(folder) else {
            throw error(path, .cannotOpen)
        }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// What the file holds; `nil` where there is none.
    static func record(at path: String) throws(FileLedgerError) -> LedgerRecord? {
        guard let bytes = try bytes(of: path) else { return nil }
        do throws(LedgerRecord.Fault) {
            return try LedgerRecord(decoding: bytes)
        } catch {
            switch error {
            case .foreign: throw FileLedgerError(.foreign, path: path, "no ledger's file")
            case .corrupt: throw FileLedgerError(.corrupt, path: path, "the file is damaged")
            case .newer(let version):
                throw FileLedgerError(
                    .newer(version: version), path: path,
                    "of version \(version); this release knows \(LedgerRecord.version)")
            }
        }
    }

    /// Puts a new file in the place of the old one; on the disk when this returns.
    ///
    /// The new file is on the disk before it has the old one's name, or a crash could leave that
    /// name with nothing in it.
    static func replace(
        _ path: String, with record: LedgerRecord, by disk: DiskCalls
    ) throws(FileLedgerError) {
        let bytes = record.encoded
        guard bytes.count <= LedgerRecord.byteLimit else {
            throw FileLedgerError(.tooLarge, path: path, "\(bytes.count) bytes")
        }
        let new = path + ".new"
        // What a crash left there is written over: only whoever has the lock comes here.
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw error(new, .cannotOpen) }
        do throws(FileLedgerError) {
            defer { close(file) }
            try write(bytes, to: file, path: new, by: disk)
            try synchronize(file, path: new, by: disk)
        } catch {
            unlink(new)
            throw error
        }
        guard disk.rename(new, path) == 0 else { throw error(path, .inputOutput) }
        try synchronizeFolder(of: path, by: disk)
    }

    /// The new name is a change of the folder, which has a buffer of its own.
    private static func synchronizeFolder(
        of path: String, by disk: DiskCalls
    ) throws(FileLedgerError) {
        let cut = path.lastIndex(of: "/") ?? path.startIndex
        let folder = cut == path.startIndex ? "/" : String(path[..<cut])
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(folder, .cannotOpen) }
        defer { close(descriptor) }
        try synchronize(descriptor, path: folder, by: disk)
    }

    private static func synchronize(
        _ file: Int32, path: String, by disk: DiskCalls
    ) throws(FileLedgerError) {
        while disk.synchronize(file) != 0 {
            guard errno == EINTR else { throw error(path, .inputOutput) }
        }
    }

    private static func write(
        _ bytes: [UInt8], to file: Int32, path: String, by disk: DiskCalls
    ) throws(FileLedgerError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { disk.write(file, $0) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw error(path, .inputOutput)
            }
        }
    }

    private static func bytes(of path: String) throws(FileLedgerError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw error(path, .cannotOpen) }
            return nil
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &part, part.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += part[..<count]
                guard bytes.count <= LedgerRecord.byteLimit else {
                    throw FileLedgerError(.foreign, path: path, "too large for a ledger's file")
                }
            } else if errno != EINTR {
                throw error(path, .cannotOpen)
            }
        }
    }

    private static func realpath(_ path: String) -> String? {
        #if canImport(Darwin)
            let found = Darwin.realpath(path, nil)
        #else
            let found = Glibc.realpath(path, nil)
        #endif
        guard let found else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// What the system said last.
    static func error(_ path: String, _ cause: FileLedgerError.Cause) -> FileLedgerError {
        let code = errno
        let isFull = code == ENOSPC || code == EDQUOT
        return FileLedgerError(
            isFull ? .full : cause, path: path, code: code, String(cString: strerror(code)))
    }
}
