import Foundation
import Testing

/// What a machine does in each state with each input, checked in beside its tests and reviewed.
///
/// `Scripts/record` writes the files anew (BELAY_RECORD=1); a recording test fails, so that no
/// run is green because it recorded.
struct TransitionTable {
    private struct Row {
        let input: String
        let result: String
        let after: String
    }

    private let title: [String]
    private var groups: [(state: String, rows: [Row])] = []

    init(_ title: String...) {
        self.title = title
    }

    /// Begins the rows of one state.
    mutating func state(_ name: String, is description: String) {
        groups.append(("\(name): \(description)", []))
    }

    /// What `input` does in the present state. An unchanged state is written `=`.
    mutating func row(_ input: String, _ result: String, before: String, after: String) {
        let row = Row(input: input, result: result, after: before == after ? "=" : after)
        groups[groups.count - 1].rows.append(row)
    }

    /// An input that is a mistake of the program in the present state. An exit test shows it.
    mutating func trap(_ input: String) {
        groups[groups.count - 1].rows.append(Row(input: input, result: "traps", after: ""))
    }

    var lines: [String] {
        let rows = groups.flatMap(\.rows)
        let inputWidth = rows.map(\.input.count).max() ?? 0
        let resultWidth = rows.map(\.result.count).max() ?? 0
        var lines = title.map { "# \($0)" }
        for group in groups {
            lines += ["", group.state]
            for row in group.rows {
                let columns = [
                    row.input.padding(toLength: inputWidth, withPad: " ", startingAt: 0),
                    row.result.padding(toLength: resultWidth, withPad: " ", startingAt: 0),
                    row.after,
                ]
                var line = "  " + columns.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                lines.append(line)
            }
        }
        return lines
    }

    /// Compares with the reviewed file `name.transitions` beside the calling test.
    func expectReviewed(
        _ name: String, beside test: String = #filePath,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let file = "\(name).transitions"
        if ProcessInfo.processInfo.environment["BELAY_RECORD"] == "1" {
            let url = URL(filePath: test).deletingLastPathComponent().appending(path: file)
            try (lines.joined(separator: "\n") + "\n").write(
                to: url, atomically: true, encoding: .utf8)
            Issue.record("\(file): recorded, review it", sourceLocation: location)
            return
        }
        let resource = try #require(
            Bundle.module.url(forResource: name, withExtension: "transitions"),
            "\(file) is not checked in: run Scripts/record", sourceLocation: location)
        let text = try String(contentsOf: resource, encoding: .utf8)
        let reviewed = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init).dropLast()
        let changes = lines.difference(from: Array(reviewed)).map { change in
            switch change {
            case .remove(_, let line, _): "- \(line)"
            case .insert(_, let line, _): "+ \(line)"
            }
        }
        #expect(
            changes.isEmpty,
            "\(file) differs; Scripts/record rewrites it\n\(changes.joined(separator: "\n"))",
            sourceLocation: location)
    }
}

/// A value as a table writes it: no type names, and `never` for the moment that never comes.
func plain(_ value: Any) -> String {
    if let number = value as? Int64, number == .max { return "never" }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
        return mirror.children.first.map { plain($0.value) } ?? "none"
    case .enum:
        guard let payload = mirror.children.first, let name = payload.label else {
            return "\(value)"
        }
        return "\(name)(\(fields(of: payload.value)))"
    case .tuple:
        return fields(of: value)
    default:
        return "\(value)"
    }
}

/// The fields of a tuple or structure, with the labels they have.
private func fields(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let isCompound = mirror.displayStyle == .tuple || mirror.displayStyle == .struct
    guard isCompound, !(value is any CustomStringConvertible) else { return plain(value) }
    return mirror.children.map { child in
        let label = child.label.map { $0.hasPrefix(".") ? "" : "\($0) " } ?? ""
        return label + plain(child.value)
    }.joined(separator: ", ")
}
