import Testing

@Suite struct `The length of functions` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        /// The start of each function, and its lines.
        let lengths: [[Int]]
    }

    @Test(arguments: [
        Case(testDescription: "one line", text: "func a() {}", lengths: [[1, 1]]),
        Case(
            testDescription: "a body", text: "\nfunc a() {\n  if b { c }\n}\n", lengths: [[2, 3]]),
        Case(
            testDescription: "a brace below", text: "func a()\nwhere A: B\n{}", lengths: [[1, 3]]),
        Case(
            testDescription: "nested", text: "func a() {\nfunc b() {\n}\n}",
            lengths: [[1, 4], [2, 2]]),
        Case(
            testDescription: "a closure as default", text: "func a(b: C = { d }) {\n}",
            lengths: [[1, 2]]),
        Case(testDescription: "an initializer", text: "init?(a: B) {\n}\n", lengths: [[1, 2]]),
        Case(testDescription: "a call of one", text: "self.init(a) { b }", lengths: []),
        Case(
            testDescription: "a requirement", text: "protocol A {\nfunc a()\nfunc b()\n}",
            lengths: []),
        Case(
            testDescription: "an operator", text: "static func < (a: B, b: B) -> Bool {\n}",
            lengths: [[1, 2]]),
        Case(testDescription: "a property", text: "var a: B {\n  c\n}", lengths: [[1, 3]]),
        Case(testDescription: "a stored property", text: "var a: B = c {\n}", lengths: []),
        Case(
            testDescription: "a type after a property", text: "var a: B\nstruct C {\n}", lengths: []
        ),
        Case(
            testDescription: "a brace in a string", text: "func a() {\n  \"{\"\n}",
            lengths: [[1, 3]]),
        Case(
            testDescription: "a brace in a comment", text: "func a() {\n  // {\n}",
            lengths: [[1, 3]]),
        Case(testDescription: "a sentence", text: "func `{ is open`() {\n}", lengths: [[1, 2]]),
    ])
    func `is counted from its first word to its closing brace`(example: Case) {
        let tokens = SwiftToken.tokens(of: SwiftText(example.text).code)
        #expect(FunctionLength.measure(tokens).map { [$0.start, $0.lines] } == example.lengths)
    }
}
