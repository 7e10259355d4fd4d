import Belay
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A server of others behind TLS` {
    @Test(arguments: ServerCase.programs)
    func `is talked to where its certificate is trusted`(_ program: Program) async throws {
        try await Certificate.make(for: "IP:127.0.0.1") { certificate in
            try await serve(program, certificate) { url in
                var talk = try Conversation(
                    url, transport: try trusting(certificate))
                try await talk.opened()
                let long = WebSocketMessage.text(String(repeating: "é", count: 100_000))
                let isSame = try await talk.reply(to: long) == long
                #expect(isSame)
                talk.connection.close()
                let facts = try await talk.closed()
                #expect(facts.cause == .closedLocally)
                #expect(facts.frames.received?.code == 1_000)
            }
        }
    }

    @Test(arguments: ServerCase.programs)
    func `is refused where its certificate names another host`(_ program: Program) async throws {
        try await Certificate.make(for: "DNS:other.example") { certificate in
            try await serve(program, certificate) { url in
                var talk = try Conversation(url, transport: try trusting(certificate))
                #expect(try await talk.closed().cause == .tlsFailed)
            }
        }
    }

    @Test(arguments: ServerCase.programs)
    func `is refused where nobody vouches for its certificate`(_ program: Program) async throws {
        try await Certificate.make(for: "IP:127.0.0.1") { certificate in
            try await serve(program, certificate) { url in
                var talk = try Conversation(url)
                #expect(try await talk.closed().cause == .tlsFailed)
            }
        }
    }

    private func trusting(_ certificate: Certificate) throws -> any WebSocketTransport {
        try DefaultTransport.webSocket(tls: TLSPolicy(authoritiesFile: certificate.file))
    }

    private func serve(
        _ program: Program, _ certificate: Certificate,
        _ body: (_ url: String) async throws -> Void
    ) async throws {
        try await program.run(["--tls", certificate.file, certificate.keyFile]) { server in
            try await body("wss://127.0.0.1:\(try await server.port())/echo")
        }
    }
}
