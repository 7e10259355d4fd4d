/// Any JSON, for tests that look at lines without knowing their type.
enum JSONValue: Decodable, Equatable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case integer(UInt64)
    case negative(Int64)
    case boolean(Bool)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The first that fits, the most frequent first: each that does not takes long to say so.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .integer(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .negative(value)
        } else {
            // What none fits is no JSON that evidence may hold.
            self = .array(try container.decode([JSONValue].self))
        }
    }

    var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
