import Foundation
import Testing

@testable import BelayWire

@Suite struct `The Base64 of handshake keys` {
    @Test(arguments: 0...20)
    func `writes what Foundation writes`(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ 0xFB) }
        #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
    }

    @Test(arguments: [
        "", "AAAA", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===",
        "dGhlIHNhbXBsZSBub25jZQAA", "dGhlIHNhbXBsZSBub25j Q==", "dGhlIHNhbXBsZSBub25j-Q==",
        "dGhlIHNhbXBsZSBub25jZ===",
    ])
    func `knows what is no key of 16 bytes`(_ text: String) {
        #expect(!Base64.isSixteenBytes(text))
    }

    @Test func `knows a key of 16 bytes`() {
        #expect(Base64.isSixteenBytes("dGhlIHNhbXBsZSBub25jZQ=="))
        #expect(Base64.isSixteenBytes(Base64.encode([UInt8](repeating: 0xFF, count: 16))))
    }
}
