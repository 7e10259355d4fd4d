extension FaultPlan: Codable {
    /// Reads a plan. Throws `FaultPlanError`.
    public init(from decoder: any Decoder) throws {
        let reader = try PlanReader(decoder)
        try reader.allow("seed", "rules")
        let seed =
            reader.has("seed")
            ? try reader.value("seed", UInt64.self, expected: "an integer from 0 to \(UInt64.max)")
            : 0
        let rules =
            reader.has("rules")
            ? try reader.value("rules", [FaultRule].self, expected: "an array of rules") : []
        guard rules.count <= Self.ruleLimit else {
            throw reader.error("rules", expected: "at most \(Self.ruleLimit) rules")
        }
        self.init(seed: seed, rules: rules)
    }

    /// Writes a plan that reads back as it was.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PlanReader.Key.self)
        try container.encode(seed, forKey: .init(stringValue: "seed"))
        try container.encode(rules, forKey: .init(stringValue: "rules"))
    }
}

extension FaultRule: Codable {
    /// Reads a rule. Throws `FaultPlanError`.
    public init(from decoder: any Decoder) throws {
        let reader = try PlanReader(decoder)
        try reader.allow("connection", "at", "fault")
        let connection =
            reader.has("connection")
            ? try reader.value("connection", Occurrence.self, expected: Occurrence.expected)
            : .every
        let at = try reader.value("at", MomentPattern.self, expected: MomentPattern.expected)
        let fault = try reader.value("fault", Fault.self, expected: "a fault")
        self.init(on: connection, at: at, fault)
    }

    /// Writes a rule that reads back as it was.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PlanReader.Key.self)
        try container.encode(connection, forKey: .init(stringValue: "connection"))
        try container.encode(at, forKey: .init(stringValue: "at"))
        try container.encode(fault, forKey: .init(stringValue: "fault"))
    }
}

extension Occurrence: Codable {
    static let expected = "a number from 1, \"every\", {\"first\": n} or {\"from\": n}"

    /// Reads a number or a range of numbers. Throws `FaultPlanError`.
    public init(from decoder: any Decoder) throws {
        let path = PlanReader.path(decoder.codingPath)
        let single = try? decoder.singleValueContainer()
        if let number = try? single?.decode(Int.self) {
            // Milliseconds of `elapsed` may be 0; what counts from 1 simply never is.
            guard number >= 0 else { throw FaultPlanError(path: path, expected: Self.expected) }
            self = .only(number)
        } else if let text = try? single?.decode(String.self) {
            guard text == "every" else { throw FaultPlanError(path: path, expected: Self.expected) }
            self = .every
        } else {
            let reader = try PlanReader(decoder)
            try reader.allow("first", "from")
            guard reader.keys.count == 1 else {
                throw FaultPlanError(path: path, expected: Self.expected)
            }
            let range = 1...Int(Int32.max)
            self =
                reader.has("first")
                ? .first(try reader.integer("first", in: range))
                : .from(try reader.integer("from", in: range))
        }
    }

    /// Writes what reads back as it was.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .every, .only:
            var container = encoder.singleValueContainer()
            if case .only(let number) = self {
                try container.encode(number)
            } else {
                try container.encode("every")
            }
        case .first(let number):
            try encoder.encode(number, under: "first")
        case .from(let number):
            try encoder.encode(number, under: "from")
        }
    }
}

extension MomentPattern: Codable {
    static let expected = "a moment, like \"opened\" or {\"ping\": 3}"

    /// Reads a kind, or a kind with its numbers. Throws `FaultPlanError`.
    public init(from decoder: any Decoder) throws {
        let path = PlanReader.path(decoder.codingPath)
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            guard let kind = Moment.Kind(rawValue: name) else {
                throw FaultPlanError(path: path, expected: Self.kinds)
            }
            guard let pattern = Self(kind: kind) else {
                let expected = "a kind with its number: {\"\(name)\": 500}"
                throw FaultPlanError(path: path, expected: expected)
            }
            self = pattern
            return
        }
        let reader = try PlanReader(decoder)
        guard let name = reader.keys.first, reader.keys.count == 1 else {
            throw FaultPlanError(path: path, expected: Self.expected)
        }
        guard let kind = Moment.Kind(rawValue: name) else {
            throw FaultPlanError(path: path, expected: Self.kinds)
        }
        let which = try reader.value(name, Occurrence.self, expected: Occurrence.expected)
        guard let pattern = Self(kind: kind, which) else {
            let expected = kind == .elapsed ? "milliseconds" : "no number for \"\(name)\""
            throw reader.error(name, expected: expected)
        }
        self = pattern
    }

    /// Writes what reads back as it was.
    public func encode(to encoder: any Encoder) throws {
        guard kind.isNumbered else {
            var container = encoder.singleValueContainer()
            return try container.encode(kind.rawValue)
        }
        try encoder.encode(occurrence, under: kind.rawValue)
    }

    private static var kinds: String {
        "one of \(Moment.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
    }
}

extension Fault: Codable {
    /// Reads a name, or a name with its parameters. Throws `FaultPlanError`.
    public init(from decoder: any Decoder) throws {
        let path = PlanReader.path(decoder.codingPath)
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            try self.init(name: name, PlanReader(withoutParametersAt: "\(path).\(name)"))
            return
        }
        let reader = try PlanReader(decoder)
        guard let name = reader.keys.first, reader.keys.count == 1 else {
            throw FaultPlanError(path: path, expected: "one fault, \"name\" or {\"name\": {…}}")
        }
        try self.init(name: name, try reader.nested(name))
    }

    /// Writes what reads back as it was.
    public func encode(to encoder: any Encoder) throws {
        let form = form
        guard !form.parameters.isEmpty else {
            var container = encoder.singleValueContainer()
            return try container.encode(form.name)
        }
        var container = encoder.container(keyedBy: PlanReader.Key.self)
        var nested = container.nestedContainer(
            keyedBy: PlanReader.Key.self, forKey: .init(stringValue: form.name))
        for (key, value) in form.parameters {
            switch value {
            case .integer(let number):
                try nested.encode(number, forKey: .init(stringValue: key))
            case .text(let text):
                try nested.encode(text, forKey: .init(stringValue: key))
            }
        }
    }
}

extension Encoder {
    fileprivate func encode(_ value: some Encodable, under key: String) throws {
        var container = container(keyedBy: PlanReader.Key.self)
        try container.encode(value, forKey: PlanReader.Key(stringValue: key))
    }
}
