import BelayCore
import Testing

@Suite struct `An event's id` {
    @Test(arguments: [
        ("1", true), ("a\té", true), (" 1", true), ("1 ", true), ("a\u{7F}", false),
        ("a\nb", false), ("\u{0}", false), (" ", false), ("\t", false), (" \t ", false),
    ])
    func `can be asked for where a field carries it`(text: String, holds: Bool) throws {
        #expect(try #require(EventID(text)).canBeAskedFor == holds)
    }
}
