public import BelayCore
public import Foundation

/// Writes evidence as JSON Lines: one file for each run, its form in `evidence.schema.json`.
///
/// Each scenario's lines are written together when it ended, so an interrupted run leaves a file
/// in which every line is whole.
public actor EvidenceFile {
    private let file: FileHandle
    private let origin: Milliseconds

    /// Creates the file, or empties it, and writes its header.
    ///
    /// - Parameters:
    ///   - origin: The moment of the clients' monotonic line from which lines count.
    /// - Throws: `EvidenceFileError` where it cannot be created or written.
    public init(
        path: String, version: String, seed: UInt64, origin: Milliseconds, startedAt: Date = .now
    ) throws(EvidenceFileError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw EvidenceFileError(path: path, operation: .create) }
        self.file = file
        self.origin = origin
        self.path = path
        let header = EvidenceLine.header(
            version: version, seed: seed, startedAt: startedAt.formatted(.iso8601))
        do {
            try file.write(contentsOf: header.encoded())
        } catch {
            throw EvidenceFileError(path: path, operation: .write)
        }
    }

    private let path: String

    /// Writes the lines of one scenario.
    func write(_ result: ScenarioResult, _ evidence: Evidence) throws(EvidenceFileError) {
        do {
            let lines = EvidenceLine.lines(of: result, evidence, origin: origin)
            try file.write(contentsOf: lines.reduce(into: Data()) { try $0.append($1.encoded()) })
        } catch {
            throw EvidenceFileError(path: path, operation: .write)
        }
    }

    /// Brings everything to the disk, and closes.
    public func close() throws(EvidenceFileError) {
        do {
            try file.synchronize()
            try file.close()
        } catch {
            throw EvidenceFileError(path: path, operation: .write)
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
}
