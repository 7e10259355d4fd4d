/// One place that breaks a rule of STYLE, written so that an editor can jump to it.
struct Finding: Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// Counted from 1; 1 where the file as a whole is meant.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
