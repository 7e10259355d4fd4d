/// The words behind a subcommand, sorted into options and operands.
struct Arguments: Hashable, Sendable {
    private var values: [String: String] = [:]
    private var flags: Set<String> = []
    /// What is no option, in order.
    private(set) var operands: [String] = []

    /// Sorts `words`. Values follow their option, or stand behind its `=`; `--` ends the options.
    init(_ words: [String], options: [Option]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = options.first(where: { $0.name == name }) else {
                throw .unknown("option", name, among: options.map(\.name))
            }
            try take(option, inline: parts.count > 1 ? String(parts[1]) : nil, &rest)
        }
    }

    private mutating func take(
        _ option: Option, inline: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard values[option.name] == nil, !flags.contains(option.name) else {
            throw UsageError("\(option.name) is given twice", hint: "give it once")
        }
        guard let form = option.value else {
            guard inline == nil else {
                throw UsageError("\(option.name) takes no value", hint: "leave out what follows =")
            }
            flags.insert(option.name)
            return
        }
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError("\(option.name) has no value", hint: "write \(option.name) \(form)")
        }
        values[option.name] = value
    }

    /// Whether a flag was given.
    func has(_ name: String) -> Bool {
        flags.contains(name)
    }

    /// The value of an option; `nil` where it was not given.
    subscript(name: String) -> String? { values[name] }

    /// The value of an option as a number in `range`; `nil` where it was not given.
    func number<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = values[name] else { return nil }
        // `Number` would take a sign, too.
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Number(text), range.contains(number)
        else {
            throw UsageError(
                "\(name) \(text) is no number from \(range.lowerBound) to \(range.upperBound)",
                hint: "write digits only")
        }
        return number
    }

    /// The value of an option as a length of time, in seconds with at most three places; `nil`
    /// where it was not given.
    func seconds(_ name: String) throws(UsageError) -> Duration? {
        guard let text = values[name] else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count > 1 ? parts[1] + "000".dropFirst(parts[1].count) : "000"
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard areDigits, places.count == 3, let whole = Int64(parts[0]), let rest = Int64(places),
            whole <= 86_400, whole + rest > 0
        else {
            throw UsageError(
                "\(name) \(text) is no length from 0.001 to 86400 seconds",
                hint: "write digits, and at most three behind a point")
        }
        return .milliseconds(whole * 1_000 + rest)
    }

    /// Refuses operands beyond the first `count`, for subcommands that take no more.
    func refuseOperands(after count: Int = 0) throws(UsageError) {
        guard let first = operands.dropFirst(count).first else { return }
        throw UsageError(
            "\(first.isEmpty ? "an empty word" : first) is not expected here",
            hint: "options begin with --")
    }
}
