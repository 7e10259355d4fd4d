import BelayFaults
import Testing

@testable import BelayCommand

@Suite(.timeLimit(.minutes(5))) struct `belay serve` {
    @Test func `names the port that is taken, and the remedy`() async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let listening = Listening()
        #expect(await listening.run("serve --port \(port)") == .failed)
        #expect(listening.output.isEmpty)
        let lines = listening.talk.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(":\(port): ") == true)
        #expect(lines.last?.contains("--port 0") == true)
        await endpoint.stop()
    }

    @Test func `refuses an address that others reach, unless it is told that they may`() async {
        let listening = Listening()
        #expect(await listening.run("serve --host 0.0.0.0 --port 0") == .usage)
        #expect(listening.talk.contains("--public"))
    }

    @Test(arguments: ["localhost", "[::1]", "127.0.0.1:80"])
    func `says how an address is written`(host: String) async {
        let listening = Listening()
        #expect(await listening.run("serve --host \(host) --port 0") == .usage)
        #expect(
            listening.talk == "error: \(host) is no IPv4 or IPv6 address\nhint: write it in "
                + "digits, as 127.0.0.1 or ::1, without brackets\n")
    }

    @Test func `warns only of an address that others reach`() async {
        let listening = Listening()
        let task = Task { await listening.run("serve --public --port 0") }
        while listening.output.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .passed)
        #expect(listening.talk.isEmpty)
    }

    // E18
    @Test func `says who reaches a loopback, and where plaintext belongs`() async {
        let listening = Listening()
        #expect(await listening.run("help serve") == .passed)
        #expect(listening.output.contains("a device does not"))
        #expect(listening.output.contains("debug builds only"))
    }

    // E8
    @Test func `prints the article's two commands, the WebSocket and every parameter`() {
        let text = EndpointGuide(address: "http://127.0.0.1:8765").text
        #expect(text.contains("\ncurl -Ns 'http://127.0.0.1:8765/events?cut=1'\n"))
        #expect(
            text.contains("\ncurl -Ns -H 'Last-Event-ID: 1' 'http://127.0.0.1:8765/events'\n"))
        #expect(text.contains("\nws://127.0.0.1:8765/ws\n"))
        for parameter in EndpointParameter.all {
            #expect(text.contains("  \(parameter.name)=\(parameter.form)  "))
        }
    }

    @Test func `writes an IPv6 address in brackets`() throws {
        let place = try ListeningPlace(
            Arguments(["--host", "::1"], options: ServeCommand.options), port: 80)
        let text = EndpointGuide(address: place.address(port: 80)).text
        #expect(text.contains("ws://[::1]:80/ws"))
    }
}
