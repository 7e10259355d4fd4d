import Foundation
import Testing

/// A program in `Peers`, and what must be installed for it.
struct Program: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let command: [String]
    /// Proves that what it needs is there.
    private let proof: String
    private let package: String

    private init(_ name: String, _ command: [String], needs proof: String, of package: String) {
        testDescription = name
        self.command = command
        self.proof = proof
        self.package = package
    }

    /// Runs it with these arguments as long as `body`.
    ///
    /// Where it is not installed, the test is cancelled, which counts as skipped.
    func run<Result>(
        _ arguments: [String] = [], _ body: (Peer) async throws -> Result
    ) async throws -> Result {
        guard FileManager.default.fileExists(atPath: proof) else {
            try Test.cancel("\(testDescription) is not here; install \(package)")
        }
        let peer = try Peer(command + arguments)
        do {
            let result = try await body(peer)
            await peer.end()
            return result
        } catch {
            // Over its time, a test is told nothing but that, whatever it throws.
            if Task.isCancelled { Issue.record(error) }
            await peer.end()
            throw error
        }
    }
}

extension Program {
    static let websocketsServer = python(
        "websockets", "websockets_server.py", needs: installed, of: websockets, by: venv)
    static let websocketsClient = python(
        "websockets", "websockets_client.py", needs: installed, of: websockets, by: venv)
    static let nodeServer = Program(
        "node-ws", ["node", file("node_server.js")], needs: nodeWS, of: "node-ws")
    static let nodeClient = Program(
        "node-ws", ["node", file("node_client.js")], needs: nodeWS, of: "node-ws")
    static let lwsServer = python(
        "libwebsockets", "lws_server.py", needs: "/usr/bin/libwebsockets-test-server",
        of: "libwebsockets-test-server")
    static let lwsClient = python(
        "libwebsockets", "lws_client.py", needs: "/usr/bin/libwebsockets-test-client",
        of: "libwebsockets-test-server")
    static let nginx = python(
        "nginx", "nginx.py", needs: "/usr/sbin/nginx", of: "nginx-light")
    static let nchan = python(
        "nchan", "nchan.py", needs: "/usr/lib/nginx/modules/ngx_nchan_module.so",
        of: "libnginx-mod-nchan")
    static let aiohttpServer = python(
        "aiohttp", "aiohttp_server.py", needs: installed, of: "aiohttp by Scripts/setup interop",
        by: venv)
    static let chromium = python(
        "Chromium", "chromium.py", needs: "/usr/bin/chromium", of: "chromium")
    static let openssl = Program(
        "openssl", ["openssl"], needs: "/usr/bin/openssl", of: "openssl")

    private static let nodeWS = "/usr/share/nodejs/ws/package.json"
    private static let websockets = "websockets by Scripts/setup interop"
    /// Written once pip is through.
    private static let installed = checkout.appending(path: ".build/peers-venv/installed").path
    private static let venv = checkout.appending(path: ".build/peers-venv/bin/python3").path

    private static func python(
        _ name: String, _ script: String, needs proof: String, of package: String,
        by interpreter: String = "python3"
    ) -> Program {
        // -B: nothing is written beside the programs.
        Program(name, [interpreter, "-B", file(script)], needs: proof, of: package)
    }

    private static func file(_ name: String) -> String {
        checkout.appending(path: "Tests/Interop/Peers/\(name)").path
    }

    /// The root of Belay, that this was built from.
    private static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
