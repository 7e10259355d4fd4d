/// Reads one JSON object of a plan: typed values in their ranges, and no key that is not known.
struct PlanReader {
    /// Any name as a key.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// What a wait may last, in milliseconds: up to a day.
    static let duration = 0...86_400_000
    /// What may leave at once, in bytes.
    static let pieceBytes = 1...65_536

    /// Where the object stands; it ends with the fault's name for a fault's parameters.
    let path: String
    /// Where the fault's name stands.
    var parentPath: String {
        path.split(separator: ".").dropLast().joined(separator: ".")
    }
    /// `nil` where JSON had a name alone: every parameter is missing.
    private let container: KeyedDecodingContainer<Key>?

    /// The object that `decoder` stands at.
    init(_ decoder: any Decoder) throws(FaultPlanError) {
        path = Self.path(decoder.codingPath)
        do {
            container = try decoder.container(keyedBy: Key.self)
        } catch {
            throw FaultPlanError(path: path, expected: "an object")
        }
    }

    /// A fault without parameters.
    init(withoutParametersAt path: String) {
        self.path = path
        container = nil
    }

    private init(path: String, _ container: KeyedDecodingContainer<Key>) {
        self.path = path
        self.container = container
    }

    /// `rules[1].at.ping`.
    static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    /// The keys of the object.
    var keys: [String] { container?.allKeys.map(\.stringValue) ?? [] }

    /// Refuses every key but these.
    func allow(_ known: String...) throws(FaultPlanError) {
        guard let unknown = keys.sorted().first(where: { !known.contains($0) }) else { return }
        let names = known.isEmpty ? "no parameter" : "only \(known.joined(separator: ", "))"
        throw error(unknown, expected: "\(names) here")
    }

    /// Refuses every key.
    func none<Fault>(_ fault: Fault) throws(FaultPlanError) -> Fault {
        try allow()
        return fault
    }

    func error(_ key: String, expected: String) -> FaultPlanError {
        FaultPlanError(path: path.isEmpty ? key : "\(path).\(key)", expected: expected)
    }

    func has(_ key: String) -> Bool { container?.contains(Key(stringValue: key)) ?? false }

    /// The object under a key.
    func nested(_ key: String) throws(FaultPlanError) -> PlanReader {
        let key = Key(stringValue: key)
        do {
            if let nested = try container?.nestedContainer(keyedBy: Key.self, forKey: key) {
                return PlanReader(path: Self.path(nested.codingPath), nested)
            }
        } catch {}
        throw error(key.stringValue, expected: "an object")
    }

    /// A value that reads itself; its own errors pass.
    func value<Value: Decodable>(
        _ key: String, _ type: Value.Type, expected: String
    ) throws(FaultPlanError) -> Value {
        do {
            if let value = try container?.decode(type, forKey: Key(stringValue: key)) {
                return value
            }
        } catch let error as FaultPlanError {
            throw error
        } catch {}
        throw error(key, expected: expected)
    }
}

/// The kinds of values that plans hold.
extension PlanReader {
    func integer(
        _ key: String, in range: ClosedRange<Int>, default fallback: Int? = nil
    ) throws(FaultPlanError) -> Int {
        let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
        if let fallback, !has(key) { return fallback }
        let value = try value(key, Int.self, expected: expected)
        guard range.contains(value) else { throw error(key, expected: expected) }
        return value
    }

    func optionalInteger(
        _ key: String, in range: ClosedRange<Int>
    ) throws(FaultPlanError) -> Int? {
        has(key) ? try integer(key, in: range) : nil
    }

    func milliseconds(default fallback: Int? = nil) throws(FaultPlanError) -> Int {
        try integer("milliseconds", in: Self.duration, default: fallback)
    }

    func text(_ key: String, maximumBytes: Int) throws(FaultPlanError) -> String {
        let expected = "a text of at most \(maximumBytes) bytes"
        let text = try value(key, String.self, expected: expected)
        guard text.utf8.count <= maximumBytes else { throw error(key, expected: expected) }
        return text
    }

    func optionalText(_ key: String, maximumBytes: Int) throws(FaultPlanError) -> String? {
        has(key) ? try text(key, maximumBytes: maximumBytes) : nil
    }

    func choice(
        _ key: String, of names: [String], default fallback: String
    ) throws(FaultPlanError) -> String {
        guard has(key) else { return fallback }
        let expected = "one of \(names.joined(separator: ", "))"
        let name = try value(key, String.self, expected: expected)
        guard names.contains(name) else { throw error(key, expected: expected) }
        return name
    }

    /// A value that can stand in a field line.
    func fieldValue(_ key: String) throws(FaultPlanError) -> String {
        let text = try text(key, maximumBytes: 8_192)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw error(key, expected: "a field value, without control characters")
        }
        return text
    }

    /// A token of RFC 9110 §5.6.2.
    func fieldName(_ key: String) throws(FaultPlanError) -> String {
        let text = try text(key, maximumBytes: 256)
        let isToken = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        guard !text.isEmpty, isToken else { throw error(key, expected: "a field name") }
        return text
    }
}
