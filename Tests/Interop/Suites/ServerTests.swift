import Belay
import Foundation
import Testing

/// A server of others, and whether it agrees to compression.
struct ServerCase: Sendable, CustomTestStringConvertible {
    let program: Program
    let compresses: Bool

    var testDescription: String {
        "\(program.testDescription), \(compresses ? "compressed" : "plain")"
    }

    static let programs: [Program] = [.websocketsServer, .nodeServer]
    static let all = programs.flatMap { program in
        [true, false].map { ServerCase(program: program, compresses: $0) }
    }

    func run(_ body: (Peer, _ url: String) async throws -> Void) async throws {
        try await program.run(compresses ? [] : ["--plain"]) { server in
            try await body(server, "ws://127.0.0.1:\(try await server.port())")
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A server of others` {
    static let sizes = [0, 125, 126, 65_535, 65_536, 1 << 20]

    @Test(arguments: ServerCase.all)
    func `echoes texts and bytes of every kind of length`(_ test: ServerCase) async throws {
        try await test.run { server, url in
            var talk = try Conversation(url + "/echo")
            try await talk.opened()
            let agreed = try await server.says("opened")
            #expect(agreed == (test.compresses ? "permessage-deflate" : "plain"))
            var chance = SystemRandomNumberGenerator()
            for size in Self.sizes {
                let text =
                    String(repeating: "é", count: size / 2)
                    + String(repeating: "x", count: size % 2)
                let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
                for message in [WebSocketMessage.text(text), .binary(bytes)] {
                    let echo = try await talk.reply(to: message)
                    // Not #expect of the two: it would print a mebibyte.
                    let isSame = echo == message
                    #expect(isSame, "\(size) bytes came back as \(echo.byteCount)")
                }
            }
        }
    }

    @Test(arguments: ServerCase.all)
    func `sends fragments, with a ping among them, that make one message`(
        _ test: ServerCase
    ) async throws {
        try await test.run { _, url in
            var talk = try Conversation(url + "/fragments")
            try await talk.opened()
            // Its cuts fall into a scalar where the peer cuts bytes.
            let text = (0..<1_000).map { "é\($0)" }.joined(separator: " ")
            for message in [WebSocketMessage.text(text), .binary(Array(text.utf8))] {
                #expect(try await talk.reply(to: message) == message)
            }
        }
    }

    @Test(arguments: ServerCase.all)
    func `answers our pings and gets its own answered, with round trips`(
        _ test: ServerCase
    ) async throws {
        try await test.run { server, url in
            var talk = try Conversation(
                url + "/ping", heartbeat: .every(.milliseconds(20), timeout: .seconds(20)))
            try await talk.opened()
            #expect(try await talk.reply(to: .text("1234")) == .text("answered"))
            let theirs = try #require(Int(try await server.says("pong")))
            #expect(theirs < 20_000)
            let trip = await talk.connection.roundTrips.first { $0 != nil }
            let ours = try #require(trip ?? nil)
            #expect(ours.generation == talk.newest)
            #expect((0..<20_000).contains(ours.last))
        }
    }

    @Test(arguments: ServerCase.programs)
    func `sees the code and reason of our close, and answers it`(_ program: Program) async throws {
        try await ServerCase(program: program, compresses: true).run { server, url in
            var talk = try Conversation(url + "/echo")
            try await talk.opened()
            try talk.connection.close(code: 4_001, reason: "bye")
            let facts = try await talk.closed()
            #expect(facts.cause == .closedLocally)
            #expect(facts.began == .local)
            #expect(facts.frames.sentCode == 4_001)
            #expect(facts.frames.received?.code == 4_001)
            #expect(try await server.says("closed") == "4001 bye")
            try await talk.ended()
        }
    }

    @Test(arguments: ServerCase.programs)
    func `closes with a code and reason of its own, and sees them answered`(
        _ program: Program
    ) async throws {
        try await ServerCase(program: program, compresses: true).run { server, url in
            var talk = try Conversation(url + "/close?code=4002&reason=see%20you")
            try await talk.opened()
            try await talk.connection.send("begin")
            let facts = try await talk.closed()
            #expect(facts.cause == .peerClosed(code: 4_002))
            #expect(facts.began == .peer)
            #expect(facts.frames.received == .init(code: 4_002, reasonLength: 7))
            #expect(facts.frames.sentCode == 4_002)
            #expect(try await server.says("closed").hasPrefix("4002"))
            talk.connection.retryNow()
            try await talk.opened()
        }
    }

    @Test(arguments: ServerCase.programs)
    func `chooses among our subprotocols`(_ program: Program) async throws {
        try await ServerCase(program: program, compresses: true).run { _, url in
            var talk = try Conversation(url + "/echo", subprotocols: ["v1", "v2"])
            #expect(try await talk.opened() == "v2")
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A server of others that refuses` {
    @Test(arguments: ServerCase.programs)
    func `with 401 is not asked again`(_ program: Program) async throws {
        try await ServerCase(program: program, compresses: true).run { _, url in
            var talk = try Conversation(url + "/refuse?status=401")
            let facts = try await talk.closed()
            #expect(facts.cause == .handshakeRefused(status: 401))
            #expect(facts.age == nil)
            try await talk.ended()
        }
    }

    @Test(arguments: ServerCase.programs)
    func `with 503 is asked again when it said, not when we would`(
        _ program: Program
    ) async throws {
        try await ServerCase(program: program, compresses: true).run { server, url in
            // Our own wait would be a millisecond: the second that passes is the server's wish.
            var configuration = ConnectionConfiguration()
            configuration.shortestWait = .milliseconds(1)
            configuration.firstWait = .milliseconds(1)
            var talk = try Conversation(
                url + "/refuse?status=503&after=1", configuration: configuration)
            for _ in 1...2 {
                #expect(try await talk.closed().cause == .handshakeRefused(status: 503))
            }
            // By the server's clock, since it is the one that wished.
            let first = try #require(Int(try await server.says("refused")))
            let second = try #require(Int(try await server.says("refused")))
            #expect(second - first >= 990)
        }
    }
}
