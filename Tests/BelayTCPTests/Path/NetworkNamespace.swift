import Foundation
import Testing

/// A network of a test's own, and a probe that watches the path in it.
///
/// A shell in a new user and network namespace takes the commands; it may do there what otherwise
/// takes root. `v0` is a cable whose other end `v1` lies in a second namespace, so that it can be
/// pulled. The shell, and all that it started, end with this object.
final class NetworkNamespace {
    /// Why there can be none here; nil where there can.
    static let absence = refusal(of: "ip link add v0 type veth && nsenter --version")
    /// Why there can be no tunnel in one; nil where there can.
    static let tunnelAbsence = refusal(of: "ip tuntap add dev t0 mode tun && python3 --version")

    /// What the probe and the shell said, one line each, oldest first.
    private(set) var lines: [String] = []
    private let process = Process()
    private let input = Pipe()
    private var output: AsyncStream<String>.Iterator
    private var commands = 0

    /// The states that were reported, oldest first.
    var states: [String] { lines.compactMap { Self.words($0, of: "path")?.first } }
    /// Why there was no path at each report, oldest first; `-` for no reason.
    var reasons: [String] { lines.compactMap { Self.words($0, of: "path")?.last } }
    /// How many looks came to their end.
    var looks: Int { newestLook.flatMap { $0.first }.flatMap { Int($0) } ?? 0 }
    /// How often notices were lost.
    var overruns: Int { newestLook.flatMap { $0.last }.flatMap { Int($0) } ?? 0 }

    /// The number of the probe's socket that is told of changes.
    var noticePort: String? { lines.compactMap { Self.words($0, of: "watching")?.first }.first }

    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "--user", "--map-root-user", "--net", "bash"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        self.output = Self.lines(of: output).makeAsyncIterator()
        try process.run()
    }

    deinit {
        // The shell ends with its input. Nobody waits for it here: Foundation's wait holds a thread
        // that other tests need, and did not end beside a thousand sockets.
        try? input.fileHandleForWriting.close()
    }

    /// The network before anything happened: the cable is plugged, and nothing is configured.
    static func prepared(probing destination: String = "") async throws -> NetworkNamespace {
        let network = try NetworkNamespace()
        try await network.run(
            """
            trap 'kill -9 $probe $peer $vpn 2>/dev/null' EXIT
            unshare --net sleep infinity & peer=$!
            until [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/self/ns/net)" ]
            do :; done
            there() { nsenter --target $peer --net "$@"; }
            ip link set lo up
            ip link add v0 type veth peer name v1 netns $peer
            there ip link set lo up
            there ip link set v1 up
            there ip address add 192.0.2.1/24 dev v1
            """)
        try await network.run("\(probe) \(destination) & probe=$!")
        try await network.wait { $0.looks > 0 }
        return network
    }

    /// The test binary's neighbour. What is built as one package stands in one folder.
    private static var probe: String {
        let folder = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        return "'\(folder.appending(component: "PathProbe").path)'"
    }

    /// Runs `script` in the namespace and waits for its end; its last command must succeed.
    func run(_ script: String) async throws {
        commands += 1
        let mark = "done \(commands)"
        let text = "{ \(script)\n} </dev/null; echo \"\(mark) $?\"\n"
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try await wait { $0.lines.contains { $0.hasPrefix(mark) } }
        let code = lines.last { $0.hasPrefix(mark) }?.split(separator: " ").last
        try #require(code == "0", "\(script): \(lines.suffix(5))")
    }

    /// Runs `script`, and waits until the path is in `state` by a look that came after its begin.
    func run(_ script: String, leadsTo state: String) async throws {
        let before = looks
        try await run(script)
        try await wait { $0.looks > before && $0.newestLook?[1] == state }
    }

    /// Reads on until `condition` holds. The test's time limit ends a wait in vain.
    func wait(until condition: (NetworkNamespace) -> Bool) async throws {
        while !condition(self) {
            guard let line = await output.next(isolation: #isolation) else {
                throw Ended(lines: lines.suffix(10).map { $0 })
            }
            lines.append(line)
        }
    }

    private struct Ended: Error {
        let lines: [String]
    }

    private var newestLook: [String]? {
        lines.reversed().lazy.compactMap { Self.words($0, of: "look") }.first
    }

    private static func words(_ line: String, of kind: String) -> [String]? {
        let words = line.split(separator: " ").map(String.init)
        return words.first == kind ? Array(words.dropFirst()) : nil
    }

    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        AsyncStream { continuation in
            let rest = LineRest()
            pipe.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                for line in rest.append(data) { continuation.yield(line) }
                if data.isEmpty {
                    handle.readabilityHandler = nil
                    continuation.finish()
                }
            }
        }
    }

    /// What the system says against these commands in a network of their own.
    private static func refusal(of commands: String) -> String? {
        #if os(Linux)
            let all = "all is there"
            let process = Process()
            let talk = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "unshare", "--user", "--map-root-user", "--net", "bash", "-c",
                "\(commands) && printf '\(all)'",
            ]
            process.standardOutput = talk
            process.standardError = talk
            guard (try? process.run()) != nil else { return "no env command" }
            // To the end of its words: whoever waits for the process itself may wait for ever.
            let said = String(
                decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return said.hasSuffix(all)
                ? nil : "not allowed or not there: \(said.split(separator: "\n").first ?? "bash")"
        #else
            return "network namespaces are Linux's"
        #endif
    }
}
