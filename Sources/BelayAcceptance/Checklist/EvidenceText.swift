public import BelayCore
import Foundation

/// A record as one line of JSON: for an app's log, and for the device checklist.
public enum EvidenceText {
    /// The line without its newline, with the moment as the record has it.
    public static func line(of record: EvidenceRecord) -> String {
        text(of: EvidenceLine(record))
    }

    static func text(of line: EvidenceLine) -> String {
        // Strings, numbers and flags: nothing that JSON cannot say.
        let bytes = (try? line.encoded()) ?? Data()
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
