import Testing

@testable import BelayWire

@Suite struct `ASCII bytes` {
    @Test func `compare without case for letters only`() {
        #expect(ASCII.equalIgnoringCase("Sec-WebSocket-KEY".utf8, "sec-websocket-key".utf8))
        #expect(!ASCII.equalIgnoringCase("[".utf8, "{".utf8))
        #expect(!ASCII.equalIgnoringCase("@".utf8, "`".utf8))
        #expect(!ASCII.equalIgnoringCase("a".utf8, "ab".utf8))
    }

    @Test func `know the bytes of a token`() {
        let tokens = (0...255).map { UInt8($0) }.filter(ASCII.isTokenByte)
        #expect(
            String(decoding: tokens, as: UTF8.self)
                == "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~")
    }

    @Test func `know hexadecimal digits`() {
        let digits = (0...255).map { UInt8($0) }.filter { ASCII.hexadecimalValue($0) != nil }
        #expect(String(decoding: digits, as: UTF8.self) == "0123456789ABCDEFabcdef")
        #expect(digits.compactMap(ASCII.hexadecimalValue) == Array(0...15) + Array(10...15))
    }
}
