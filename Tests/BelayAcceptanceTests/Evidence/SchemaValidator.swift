import Foundation

/// Checks JSON against the part of JSON Schema (2020-12) that `evidence.schema.json` uses.
///
/// A keyword that it does not know is an error: a rule must not go unheld in silence.
struct SchemaValidator {
    private let schema: JSONValue
    /// Each pattern once: a regex takes longer to make than to match.
    private let patterns: [String: Regex<AnyRegexOutput>]

    /// Keywords that say nothing about a value.
    private static let annotations: Set<String> = ["$schema", "title", "description"]

    init(_ data: Data) throws {
        schema = try JSONDecoder().decode(JSONValue.self, from: data)
        patterns = try Self.patterns(in: schema)
    }

    private static func patterns(in schema: JSONValue) throws -> [String: Regex<AnyRegexOutput>] {
        let parts = Array((schema.object ?? [:]).values) + (schema.array ?? [])
        var patterns = try parts.map { try Self.patterns(in: $0) }
            .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        if let pattern = schema.object?["pattern"]?.string {
            patterns[pattern] = try Regex(pattern)
        }
        return patterns
    }

    /// What is wrong with a value; empty where nothing is.
    func violations(of value: JSONValue) -> [String] {
        violations(of: value, against: schema, at: "")
    }

    private func violations(
        of value: JSONValue, against schema: JSONValue, at path: String
    ) -> [String] {
        guard let rules = schema.object else { return ["\(path): the schema is no object"] }
        return rules.sorted { $0.key < $1.key }.flatMap { keyword, rule -> [String] in
            switch keyword {
            case "type": return isType(value, rule.string) ? [] : ["\(path): no \(rule)"]
            case "const": return value == rule ? [] : ["\(path): not \(rule)"]
            case "enum": return rule.array?.contains(value) == true ? [] : ["\(path): \(value)"]
            case "minimum": return isAtLeast(value, rule) ? [] : ["\(path): below \(rule)"]
            case "pattern": return matches(value, rule) ? [] : ["\(path): not like \(rule)"]
            case "required": return missing(rule, in: value).map { "\(path): no \($0)" }
            case "properties": return members(value, rule, path)
            case "additionalProperties": return strangers(value, rules, path)
            case "items": return elements(value, rule, path)
            case "oneOf": return one(value, rule, path)
            case let word where Self.annotations.contains(word): return []
            default: return ["\(path): the validator does not know \(keyword)"]
            }
        }
    }

    private func isType(_ value: JSONValue, _ name: String?) -> Bool {
        switch value {
        case .object: name == "object"
        case .array: name == "array"
        case .string: name == "string"
        case .integer, .negative: name == "integer"
        case .boolean: name == "boolean"
        }
    }

    private func isAtLeast(_ value: JSONValue, _ rule: JSONValue) -> Bool {
        guard case .integer(let least) = rule, case .integer(let number) = value else {
            return false
        }
        return number >= least
    }

    private func matches(_ value: JSONValue, _ rule: JSONValue) -> Bool {
        guard let text = value.string, let regex = rule.string.flatMap({ patterns[$0] }) else {
            return false
        }
        return text.firstMatch(of: regex) != nil
    }

    private func missing(_ rule: JSONValue, in value: JSONValue) -> [String] {
        (rule.array ?? []).compactMap(\.string).filter { value.object?[$0] == nil }
    }

    private func members(
        _ value: JSONValue, _ rule: JSONValue, _ path: String
    ) -> [String] {
        (value.object ?? [:]).flatMap { name, member in
            (rule.object?[name]).map { violations(of: member, against: $0, at: "\(path)/\(name)") }
                ?? []
        }
    }

    private func strangers(
        _ value: JSONValue, _ rules: [String: JSONValue], _ path: String
    ) -> [String] {
        guard rules["additionalProperties"] == .boolean(false) else { return [] }
        let known = rules["properties"]?.object ?? [:]
        return (value.object ?? [:]).keys.filter { known[$0] == nil }.map {
            "\(path): \($0) is not described"
        }
    }

    private func elements(
        _ value: JSONValue, _ rule: JSONValue, _ path: String
    ) -> [String] {
        (value.array ?? []).enumerated().flatMap { place, element in
            violations(of: element, against: rule, at: "\(path)/\(place)")
        }
    }

    private func one(_ value: JSONValue, _ rule: JSONValue, _ path: String) -> [String] {
        let found = (rule.array ?? []).map { violations(of: value, against: $0, at: path) }
        let fitting = found.count(where: \.isEmpty)
        guard fitting != 1 else { return [] }
        // The nearest branch says best what is wrong.
        return found.min { $0.count < $1.count } ?? ["\(path): \(fitting) forms fit"]
    }
}
