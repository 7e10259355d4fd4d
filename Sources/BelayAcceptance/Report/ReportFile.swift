import Foundation

/// A file that a report can be made of: evidence of a run, or a checklist that was filled in.
public enum ReportFile {
    /// The entries of a file; one whose name ends in `.md` is a checklist.
    /// - Throws: `ReportFileError`, which names the line where there is one.
    public static func entries(of path: String) throws(ReportFileError) -> [ReportEntry] {
        let data = try contents(of: path)
        guard path.hasSuffix(".md") else {
            do throws(EvidenceVerdicts.Invalid) {
                return try EvidenceVerdicts(data).entries
            } catch {
                throw ReportFileError(path: path, line: error.line, reason: error.fault.text)
            }
        }
        do throws(FilledChecklist.Invalid) {
            return try FilledChecklist(String(decoding: data, as: UTF8.self)).entries
        } catch {
            throw ReportFileError(path: path, line: error.line, reason: error.fault.text)
        }
    }

    private static func contents(of path: String) throws(ReportFileError) -> Data {
        guard let file = fopen(path, "r") else {
            throw ReportFileError(path: path, line: nil, reason: String(cString: strerror(errno)))
        }
        fclose(file)
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ReportFileError(path: path, line: nil, reason: "it cannot be read")
        }
    }
}

/// A file that no report can be made of.
public struct ReportFileError: Error, Hashable, Sendable {
    /// The file.
    public let path: String
    /// The line, from 1; `nil` where the file cannot be read at all.
    public let line: Int?
    /// What is wrong.
    public let reason: String
}

extension EvidenceVerdicts.Invalid.Fault {
    /// The fault in words.
    var text: String {
        switch self {
        case .noEvidence: "this is no line of evidence"
        case .withoutHeader: "an evidence file begins with its header, and this does not"
        case .newer(let version):
            "a newer Belay wrote it (schema \(version), this one reads up to "
                + "\(EvidenceLine.schemaVersion))"
        case .cutOff: "the last line is not whole: the file was cut off"
        }
    }
}

extension FilledChecklist.Invalid.Fault {
    /// The fault in words.
    var text: String {
        switch self {
        case .unknownCheck(let id): "this Belay has no check \(id)"
        case .repeatedCheck(let id): "\(id) has a place for its evidence already"
        case .unclosed(let id): "the place of \(id) is never closed by ```"
        case .noEvidence(let reason): "this is no line of evidence: \(reason)"
        case .withoutPlaces: "it has no place for evidence, as belay checklist prints them"
        }
    }
}
