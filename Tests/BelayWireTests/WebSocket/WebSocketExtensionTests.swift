import Testing

@testable import BelayWire

@Suite struct `WebSocket extensions` {
    struct Case: CustomTestStringConvertible, Sendable {
        let values: [String]
        /// As `text` writes them; nil for a malformed list.
        let texts: [String]?
        var testDescription: String { "\(values)" }

        init(_ values: String..., is texts: [String]?) {
            self.values = values
            self.texts = texts
        }
    }

    @Test(arguments: [
        Case(is: []), Case("", is: []), Case(" , ,\t,", is: []),
        Case("permessage-deflate", is: ["permessage-deflate"]),
        Case("a;b;c=1 ; d = \"2\" , e", is: ["a; b; c=1; d=2", "e"]),
        Case("a", "b, c", is: ["a", "b", "c"]),
        Case("a; b=\"\\x\"", is: ["a; b=x"]),
        Case("a;", is: nil), Case(";a", is: nil), Case("a;;b", is: nil), Case("a b", is: nil),
        Case("a;b=", is: nil), Case("a;b=\"", is: nil), Case("a;b=\"\"", is: nil),
        Case("a;b=\"x y\"", is: nil), Case("a;b=\"x", is: nil), Case("a=b", is: nil),
        Case("a;b=\"x\\", is: nil), Case("\u{E9}", is: nil),
    ])
    func `are read from a list as RFC 6455 §9.1 has it`(_ test: Case) {
        #expect(Self.list(test.values)?.map(\.text) == test.texts)
    }

    // D8 of the public bug reports.
    @Test(arguments: [",", ";", ",;", "a,", "a;", " "])
    func `take long nonsense in one pass`(_ part: String) {
        let value = String(repeating: part, count: 65_536 / part.utf8.count)
        let count = Self.list([value])?.count
        #expect(count == (part == "a," ? 32_768 : part == "," || part == " " ? 0 : nil))
    }

    private static func list(_ values: [String]) -> [WebSocketExtension]? {
        var fields = HTTPFields()
        for value in values { fields.append("Sec-WebSocket-Extensions", value) }
        return WebSocketExtension.list(in: fields)
    }
}
