#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The system's calls that put a new file in the place of an old one. What a crash may leave
/// depends on their order, so a test listens in.
struct DiskCalls: Sendable {
    /// As `write(2)`.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// As `fsync(2)`: 0 once all that was written is on the disk.
    var synchronize: @Sendable (Int32) -> Int32
    /// As `rename(2)`.
    var rename: @Sendable (_ old: String, _ new: String) -> Int32

    /// The system's own.
    static let system = DiskCalls(
        write: { file, bytes in
            #if canImport(Darwin)
                Darwin.write(file, bytes.baseAddress, bytes.count)
            #else
                Glibc.write(file, bytes.baseAddress, bytes.count)
            #endif
        },
        synchronize: { file in
            #if canImport(Darwin)
                // Through the disk's own cache, where the file system can.
                if fcntl(file, F_FULLFSYNC) == 0 { return 0 }
            #endif
            return fsync(file)
        },
        rename: { old, new in
            #if canImport(Darwin)
                Darwin.rename(old, new)
            #else
                Glibc.rename(old, new)
            #endif
        })
}
