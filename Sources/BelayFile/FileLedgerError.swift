/// What went wrong with a ledger's file.
public struct FileLedgerError: Error, Hashable, Sendable {
    /// Why.
    public enum Cause: Hashable, Sendable {
        /// No such folder, no permission, or no file at all; `code` says which.
        case cannotOpen
        /// The file is damaged. It is left as it is: put a copy in its place.
        case corrupt
        /// The file is something else.
        case foreign
        /// A later release wrote the file, in this version; update, or use another file.
        case newer(version: UInt32)
        /// The ids are too long for so many: keep fewer by the policy's `window`.
        case tooLarge
        /// There is no room on the disk.
        case full
        /// The disk failed; `code` says how.
        case inputOutput
    }

    /// Why.
    public let cause: Cause
    /// The file.
    public let path: String
    /// The system's `errno`; 0 where it found no fault.
    public let code: Int32
    /// The system's own words, or ours.
    public let message: String

    init(_ cause: Cause, path: String, code: Int32 = 0, _ message: String) {
        self.cause = cause
        self.path = path
        self.code = code
        self.message = message
    }
}

extension FileLedgerError: CustomStringConvertible {
    /// One line: file, message, code.
    public var description: String {
        "\(path): \(message)" + (code == 0 ? "" : " (\(code))")
    }
}
