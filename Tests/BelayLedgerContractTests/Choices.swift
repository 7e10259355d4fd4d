/// Answers that are asked for one after the other; all sequences of them come in turn.
struct Choices {
    private var made: [(choice: Int, count: Int)] = []
    private var asked = 0

    /// A number below `count`.
    mutating func next(of count: Int) -> Int {
        if asked == made.count { made.append((0, count)) }
        asked += 1
        return made[asked - 1].choice
    }

    /// Goes on to the sequence that comes next; `false` after the last.
    mutating func advance() -> Bool {
        asked = 0
        while let last = made.popLast() {
            guard last.choice + 1 == last.count else {
                made.append((last.choice + 1, last.count))
                return true
            }
        }
        return false
    }
}

extension Choices: CustomStringConvertible {
    /// What a failure shows, and what answers again.
    var description: String { "\(made.map(\.choice))" }
}
