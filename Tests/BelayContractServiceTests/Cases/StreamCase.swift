import Testing

/// What a server writes, in pieces, and what the client must have told of it.
struct StreamCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let chunks: [[UInt8]]
    let told: [Told]

    init(_ name: String, _ chunks: [[UInt8]], _ told: [Told]) {
        (testDescription, self.chunks, self.told) = (name, chunks, told)
    }

    init(_ name: String, _ chunks: String..., told: [Told]) {
        self.init(name, chunks.map { Array($0.utf8) }, told)
    }

    /// All of `text` in pieces of so many bytes; `nil` for one piece.
    init(_ name: String, _ text: String, inPiecesOf size: Int?, told: [Told]) {
        let bytes = Array(text.utf8)
        let size = size ?? bytes.count
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        self.init(name, pieces, told)
    }

    /// Plays it, and compares. The harness listens to each type first, as the protocol asks.
    func run() async throws {
        try await Contract.run { contract in
            for case .event(let type, _, _) in told where type != "message" {
                try await contract.listen(to: type)
            }
            let connection = try await contract.connection()
            for chunk in chunks { await connection.send(chunk) }
            for expected in told {
                let told = try await contract.told()
                // No comparison that prints megabytes.
                if told != expected { Issue.record("told \("\(told)".prefix(300))") }
            }
        }
    }
}
