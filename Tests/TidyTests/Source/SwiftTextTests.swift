import Testing

@Suite struct `Swift text taken apart` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let code: String
        var comments = ""
    }

    @Test(arguments: [
        Case(testDescription: "a comment", text: "a // b", code: "a", comments: "// b"),
        Case(
            testDescription: "a nested comment", text: "a/*/**/b*/c", code: "a         c",
            comments: "/*/**/b*/"),
        Case(testDescription: "a string", text: #"f("// no")"#, code: "f(       )"),
        Case(testDescription: "an escaped quote", text: #""\"b" c"#, code: "c"),
        Case(testDescription: "a raw string", text: ##"#"a"b"# c"##, code: "c"),
        Case(testDescription: "an interpolation", text: #""\(g(")") + ")")" c"#, code: "c"),
        Case(testDescription: "a long string", text: "\"\"\"\n{ \" }\n\"\"\" c", code: "c"),
        Case(testDescription: "a regular expression", text: #"#/"/# c"#, code: "c"),
        Case(testDescription: "a test's name", text: "func `try! it`()", code: "func xxxxxxxxx()"),
        Case(testDescription: "an open string ends with its line", text: "\"a\nb", code: "b"),
        Case(testDescription: "a condition", text: "#if os(Linux)", code: "#if os(Linux)"),
    ])
    func `keeps code and comments apart`(example: Case) {
        let text = SwiftText(example.text)
        #expect(trimmed(text.code.joined()) == example.code)
        #expect(trimmed(text.comments.joined()) == example.comments)
    }

    @Test func `keeps the number of every line`() {
        #expect(SwiftText("a\n\"\"\"\nb\n\"\"\"\nc").code.count == 5)
    }

    private func trimmed(_ text: String) -> String {
        var rest = Substring(text)
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
