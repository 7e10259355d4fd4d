import BelayTransport
import Testing

@Suite struct `A request field` {
    @Test(
        arguments: [
            ("", "x", .name(offset: 0)), ("a b", "x", .name(offset: 1)),
            ("a:", "x", .name(offset: 1)),
            ("a", "x\r\nb: c", .value(offset: 1)), ("a", "\0", .value(offset: 0)),
        ] as [(String, String, RequestField.Invalid)])
    func `that could begin another field is refused`(
        _ name: String, _ value: String, _ reason: RequestField.Invalid
    ) {
        #expect(throws: reason) { try RequestField(name, value) }
    }

    @Test func `keeps its name and value`() throws {
        let field = try RequestField("Authorization", "Bearer é\t1")
        #expect(field.name == "Authorization")
        #expect(field.value == "Bearer é\t1")
    }
}
