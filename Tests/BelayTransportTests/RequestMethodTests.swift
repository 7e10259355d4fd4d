import BelayTransport
import Testing

@Suite struct `A request method` {
    @Test(arguments: ["GET", "POST", "REPORT", "QUERY", "x-ask", "M-SEARCH"])
    func `is every token whose response has content`(name: String) throws {
        #expect(try RequestMethod(name).name == name)
    }

    @Test(arguments: [
        ("", RequestMethod.Invalid.name(offset: 0)),
        ("GE T", .name(offset: 2)),
        ("GET\r\nHost: x", .name(offset: 3)),
        ("GÉT", .name(offset: 1)),
        ("HEAD", .withoutStream), ("CONNECT", .withoutStream), ("TRACE", .withoutStream),
    ])
    func `that cannot ask for a stream is refused`(name: String, invalid: RequestMethod.Invalid) {
        #expect(throws: invalid) { try RequestMethod(name) }
    }

    @Test func `differs by case`() throws {
        #expect(try RequestMethod("GET") == .get)
        #expect(try RequestMethod("get") != .get)
    }
}
