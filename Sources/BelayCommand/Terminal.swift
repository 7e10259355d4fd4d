import Foundation

/// Where a command prints to: the result to one stream, the talk to the other.
///
/// A value, so that tests read what a command printed.
struct Terminal: Sendable {
    /// Results, for people and for pipes.
    let output: Stream
    /// Progress, warnings and errors.
    let talk: Stream

    /// One stream.
    struct Stream: Sendable {
        /// Whether a person looks at it, so that a line may be written again.
        let isTerminal: Bool
        /// Whether colours are wanted.
        let isColoured: Bool
        /// How many characters a line of a terminal has; `nil` where nothing limits it.
        var columns: Int?
        /// Writes at once: a pipe's reader must not wait for a buffer to fill.
        let write: @Sendable (String) -> Void

        func line(_ text: String = "") {
            write(text + "\n")
        }
    }

    /// The process's own streams.
    static func standard(environment: [String: String]) -> Terminal {
        Terminal(
            output: .file(.standardOutput, environment),
            talk: .file(.standardError, environment))
    }

    /// An error in two lines: what happened, and what helps.
    func error(_ cause: String, hint: String) {
        talk.line("error: \(cause)")
        talk.line("hint: \(hint)")
    }
}

extension Terminal.Stream {
    fileprivate static func file(_ file: FileHandle, _ environment: [String: String]) -> Self {
        let isTerminal = isatty(file.fileDescriptor) == 1
        // NO_COLOR counts when it is set and not empty (no-color.org).
        let isColoured =
            isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
            && environment["TERM"] != "dumb"
        return Self(
            isTerminal: isTerminal, isColoured: isColoured,
            columns: isTerminal ? columns(of: file) : nil
        ) { text in
            // Nobody is left to tell that a standard stream is closed.
            try? file.write(contentsOf: Data(text.utf8))
        }
    }

    private static func columns(of file: FileHandle) -> Int? {
        var size = winsize()
        guard ioctl(file.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
