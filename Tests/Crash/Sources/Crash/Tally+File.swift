import BelayFile
import Foundation

extension Tally {
    /// What stands beside a ledger's file: one line for each effect, in their order.
    ///
    /// The effect of an event and its commit are two steps there. So an id may have one effect
    /// more for each time it was between the two at a kill, and it must have exactly as many.
    /// - Parameter inFlight: How often each id was.
    init(file: String, inFlight: [Int: Int]) throws {
        let text = try? String(contentsOfFile: effects(of: file), encoding: .utf8)
        let effects = (text ?? "").split(separator: "\n").compactMap { Int($0) }
        let counts = effects.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let ledger = try FileLedger(path: file)
        let committed = ledger.committedIDs.compactMap { Int($0.text) }
        let known = Set(committed)
        // Older ids have left the ledger's window, which holds 1,024.
        let recent = Set(effects.suffix(512))
        let unknown = recent.subtracting(known)
        // A life that ended before it had an event has no effect of its own.
        present = effects.last.flatMap { id in
            unknown.contains(id) && counts[id] == 1 + (inFlight[id] ?? 0) ? id : nil
        }
        // What is not committed comes again: the server is not to take it for received.
        let done = Set(counts.keys).subtracting(unknown)
        let greatest = done.max() ?? 0
        self.greatest = greatest
        complete = (1...).first { !done.contains($0) }.map { $0 - 1 } ?? 0
        missing = greatest - done.count
        let present = present
        twice = counts.count { id, count in
            // It has its one effect yet to come, where it is not the one just done.
            let isOpen = unknown.contains(id) && id != present
            return count != (inFlight[id] ?? 0) + (isOpen ? 0 : 1)
        }
        withoutEffect = known.subtracting(counts.keys).count
        withoutRecord = unknown.count
        isCursorRight = ledger.cursor?.text == committed.last.map(String.init)
        cursor = ledger.cursor.flatMap { Int($0.text) } ?? 0
    }
}

/// Where the subject notes its effects.
func effects(of file: String) -> String { "\(file).effects" }
