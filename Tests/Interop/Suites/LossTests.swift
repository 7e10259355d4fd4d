import Belay
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A server of others that is lost` {
    @Test(arguments: ServerCase.programs)
    func `by FIN without a Close has vanished`(_ program: Program) async throws {
        try await lose(program, by: "/cut", as: .peerVanished)
    }

    @Test(arguments: ServerCase.programs)
    func `by RST was reset`(_ program: Program) async throws {
        try await lose(program, by: "/reset", as: .reset)
    }

    private func lose(
        _ program: Program, by path: String, as cause: CloseCause
    ) async throws {
        try await ServerCase(program: program, compresses: true).run { _, url in
            var talk = try Conversation(url + path)
            for _ in 1...2 {
                try await talk.opened()
                try await talk.connection.send("begin")
                let facts = try await talk.closed()
                #expect(facts.cause == cause)
                #expect(facts.began == .peer)
                #expect(facts.frames == CloseFrames(received: nil, sentCode: nil))
                talk.connection.retryNow()
            }
        }
    }

    @Test(arguments: ServerCase.programs)
    func `when its process is killed is there again as the next generation`(
        _ program: Program
    ) async throws {
        let (port, before) = try await program.run { server in
            let port = try await server.port()
            var talk = try Conversation("ws://127.0.0.1:\(port)/echo")
            try await talk.opened()
            #expect(try await talk.reply(to: .text("before")) == .text("before"))
            server.signal(SIGKILL)
            let facts = try await talk.closed()
            #expect([.peerVanished, .reset].contains(facts.cause))
            #expect(facts.began == .peer)
            return (port, talk)
        }
        try await program.run(["--port", "\(port)"]) { server in
            _ = try await server.port()
            var talk = before
            talk.connection.retryNow()
            try await talk.opened()
            #expect(talk.newest == before.newest.next)
            #expect(try await talk.reply(to: .text("after")) == .text("after"))
        }
    }

    @Test(arguments: ServerCase.programs)
    func `when its process stands still is noticed by the heartbeat, and says nothing later`(
        _ program: Program
    ) async throws {
        try await ServerCase(program: program, compresses: true).run { server, url in
            // Long enough that a busy machine answers in the second generation.
            var talk = try Conversation(
                url + "/echo", heartbeat: .every(.milliseconds(100), timeout: .seconds(2)))
            try await talk.opened()
            #expect(try await talk.reply(to: .text("before")) == .text("before"))
            server.signal(SIGSTOP)
            // It lies in the socket of a process that will answer it, too late.
            try await talk.connection.send("stale")
            let facts = try await talk.closed()
            #expect(facts.cause == .heartbeatTimedOut)
            #expect(facts.began == .local)
            server.signal(SIGCONT)
            talk.connection.retryNow()
            try await talk.opened()
            #expect(try await talk.reply(to: .text("after")) == .text("after"))
        }
    }
}
