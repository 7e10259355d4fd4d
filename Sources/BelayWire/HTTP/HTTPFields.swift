/// The fields of a head, in their order; names are compared without case.
///
/// Source: RFC 9110 §5.
public struct HTTPFields: Hashable, Sendable {
    /// A name and its value, as they stand in one field line.
    public struct Field: Hashable, Sendable {
        /// The name, in the case in which it was written.
        public var name: String

        /// The value without the space around it; what was not UTF-8 has become U+FFFD.
        public var value: String

        /// A field.
        ///
        /// What may not travel is refused when the head is encoded.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in their order.
    public private(set) var all: [Field] = []

    /// No fields.
    public init() {}

    /// How many field lines there are.
    public var count: Int { all.count }

    /// The value of the first field with this name.
    ///
    /// Setting replaces all of them; nil removes.
    public subscript(name: String) -> String? {
        get { all.first { Self.isNamed($0, name) }?.value }
        set {
            guard let newValue else { return all.removeAll { Self.isNamed($0, name) } }
            guard let first = all.firstIndex(where: { Self.isNamed($0, name) }) else {
                return append(name, newValue)
            }
            all[first].value = newValue
            // What stands behind the first of that name goes, so that one is left.
            let behind = first + 1
            all = Array(all[..<behind]) + all[behind...].filter { !Self.isNamed($0, name) }
        }
    }

    /// The values of every field with this name, in their order.
    public func values(of name: String) -> [String] {
        all.filter { Self.isNamed($0, name) }.map { $0.value }
    }

    /// Adds a field behind the others, also if the name is there already.
    public mutating func append(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }

    /// Adds every field of `fields` behind those here.
    public mutating func append(contentsOf fields: HTTPFields) {
        all.append(contentsOf: fields.all)
    }

    /// The members of a comma-separated list, over every field with this name.
    ///
    /// Empty members are dropped. Do not ask it for values that hold quoted commas.
    /// Source: RFC 9110 §5.6.1.
    public func list(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.utf8.split(separator: ASCII.comma).compactMap { member in
                let text = Self.trimmed(member)
                return text.isEmpty ? nil : String(Substring(text))
            }
        }
    }

    /// Whether such a list has this member, compared without case.
    public func list(of name: String, contains token: String) -> Bool {
        list(of: name).contains { ASCII.equalIgnoringCase($0.utf8, token.utf8) }
    }

    private static func isNamed(_ field: Field, _ name: String) -> Bool {
        ASCII.equalIgnoringCase(field.name.utf8, name.utf8)
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, first == ASCII.space || first == ASCII.tab {
            text.removeFirst()
        }
        while let last = text.last, last == ASCII.space || last == ASCII.tab {
            text.removeLast()
        }
        return text
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order in which they are written; a name may come twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
