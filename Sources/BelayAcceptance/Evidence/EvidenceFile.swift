public import BelayCore
public import Foundation

/// Writes evidence as JSON Lines: one file for each run, its form in `evidence.schema.json`.
///
/// Each scenario's lines are written together when it ended, so an interrupted run leaves a file
/// in which every line is whole.
public actor EvidenceFile {
    private let path: String
    /// Closes the descriptor when it is let go.
    private let file: FileHandle
    private let origin: Milliseconds

    /// Creates the file, or empties it, and writes its header.
    ///
    /// The path is opened as it is and never replaced: it may be a link, a pipe or a device.
    /// - Parameters:
    ///   - origin: The moment of the clients' monotonic line from which lines count.
    /// - Throws: `EvidenceFileError` where it cannot be created or written.
    public init(
        path: String, version: String, seed: UInt64, origin: Milliseconds, startedAt: Date = .now
    ) throws(EvidenceFileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .lastFailure(to: .create, path) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.path = path
        self.origin = origin
        let header = EvidenceLine.header(
            version: version, seed: seed, startedAt: startedAt.formatted(.iso8601))
        try Self.write([header], to: file, at: path)
    }

    /// Writes the lines of one scenario.
    func write(_ result: ScenarioResult, _ evidence: Evidence) throws(EvidenceFileError) {
        let lines = EvidenceLine.lines(of: result, evidence, origin: origin)
        try Self.write(lines, to: file, at: path)
    }

    /// Brings everything to the disk.
    public func close() throws(EvidenceFileError) {
        // A pipe or a device has no disk behind it, and says so: nothing is lost by that.
        guard fsync(file.fileDescriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .lastFailure(to: .write, path)
        }
    }

    private static func write(
        _ lines: [EvidenceLine], to file: FileHandle, at path: String
    ) throws(EvidenceFileError) {
        let data: Data
        do {
            data = try lines.reduce(into: Data()) { try $0.append($1.encoded()) }
        } catch {
            throw EvidenceFileError(path: path, operation: .write, reason: "\(error)")
        }
        var rest = data[...]
        while !rest.isEmpty {
            // The system may take it in parts.
            let count = rest.withUnsafeBytes { bytes in
                Foundation.write(file.fileDescriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .lastFailure(to: .write, path)
            }
        }
    }
}

/// Evidence that could not be kept.
public struct EvidenceFileError: Error, Hashable, Sendable {
    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        /// Creating the file.
        case create
        /// Writing to it.
        case write
    }

    /// The file.
    public let path: String
    /// What was tried.
    public let operation: Operation
    /// Why the system refused, in its own words: `Is a directory`.
    public let reason: String

    /// The failure that the system reported last on this thread.
    fileprivate static func lastFailure(to operation: Operation, _ path: String) -> Self {
        Self(path: path, operation: operation, reason: String(cString: strerror(errno)))
    }
}
