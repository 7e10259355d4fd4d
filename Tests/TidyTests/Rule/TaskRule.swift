extension FileRule {
    /// A task has an owner that stores and cancels it, or a group that waits for it.
    static let tasks = FileRule { file in
        guard file.room != nil, Exceptions.unownedTasks[file.path] == nil else { return [] }
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard startsTask(at: index, in: tokens), !hasOwner(at: index, in: tokens) else {
                return nil
            }
            return file.finding(
                line: tokens[index].line, "nobody owns this Task; store and cancel it")
        }
    }

    /// Whether `Task {`, `Task(…)`, `Task<A, B> {` or `Task.detached` begins here.
    private static func startsTask(at index: Int, in tokens: [SwiftToken]) -> Bool {
        guard tokens[index].text == "Task", index + 1 < tokens.count,
            index == 0 || tokens[index - 1].text != "."
        else { return false }
        switch tokens[index + 1].text {
        case "{", "(": return true
        case ".":
            return index + 2 < tokens.count
                && ["detached", "immediate"].contains(tokens[index + 2].text)
        default: return false
        }
    }

    /// What stands in front takes the task: a name that is assigned to, a call, a tuple, a return.
    private static func hasOwner(at index: Int, in tokens: [SwiftToken]) -> Bool {
        guard index > 0 else { return false }
        switch tokens[index - 1].text {
        case "=": return index < 2 || tokens[index - 2].text != "_"
        case "(", "[", ",", ":", "?", "return": return true
        default: return false
        }
    }
}
