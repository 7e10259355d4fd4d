/// Calls `body` with each piece of `bytes`, as a socket would hand them over; the last is shorter.
func forEachChunk(
    of bytes: [UInt8], by chunk: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
) rethrows {
    try bytes.withUnsafeBytes { all in
        for start in stride(from: 0, to: all.count, by: chunk) {
            let end = min(start + chunk, all.count)
            try body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
        }
    }
}
