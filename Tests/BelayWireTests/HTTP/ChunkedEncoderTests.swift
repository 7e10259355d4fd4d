import BelayWire
import Testing

@Suite struct `The chunked encoder` {
    @Test func `writes chunks, none for no bytes, and the end`() {
        var bytes: [UInt8] = []
        ChunkedEncoder.append("0123456789abcdef".utf8, to: &bytes)
        ChunkedEncoder.append([], to: &bytes)
        ChunkedEncoder.append([UInt8]("x"), to: &bytes)
        ChunkedEncoder.appendEnd(to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "10\r\n0123456789abcdef\r\n1\r\nx\r\n0\r\n\r\n")
    }
}
