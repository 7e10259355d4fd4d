import Foundation
import Synchronization

/// Makes lines of what a pipe brings, in whatever pieces.
final class LineRest: Sendable {
    private let rest = Mutex(Data())

    /// The lines that are complete with `data`.
    func append(_ data: Data) -> [String] {
        rest.withLock { rest in
            rest += data
            var lines: [String] = []
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[(end + 1)...])
            }
            return lines
        }
    }
}
