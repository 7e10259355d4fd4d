import Foundation
import Testing

/// A network of a test's own, and a probe that watches the path in it.
///
/// A shell in a new user and network namespace takes the commands; it may do there what otherwise
/// takes root. `v0` is a cable whose other end `v1` lies in a second namespace, so that it can be
/// pulled. All of it ends with this object.
final class NetworkNamespace {
    /// Why there can be none here; nil where there can.
    static let absence = refusal(of: "ip link add v0 type veth && nsenter --version")
    /// Why there can be no tunnel in one; nil where there can.
    static let tunnelAbsence = refusal(of: "ip tuntap add dev t0 mode tun && python3 --version")

    private static let wrapper = ["unshare", "--user", "--map-root-user", "--net"]
    private let shell: TestShell

    /// The states that were reported, oldest first.
    var states: [String] { said(0) }
    /// Why there was no path at each report, oldest first; `-` for no reason.
    var reasons: [String] { said(2) }
    /// What the path costs by each of these reports.
    var costs: [String] { said(3) }
    /// How many looks came to their end.
    var looks: Int { newestLook.flatMap { $0.first }.flatMap { Int($0) } ?? 0 }
    /// How often notices were lost.
    var overruns: Int { newestLook.flatMap { $0.last }.flatMap { Int($0) } ?? 0 }

    /// The number of the probe's socket that is told of changes.
    var noticePort: String? {
        shell.lines.compactMap { Self.words($0, of: "watching")?.first }.first
    }

    private init() async throws {
        shell = try await TestShell(in: Self.wrapper)
    }

    /// The network before anything happened: the cable is plugged, and nothing is configured.
    ///
    /// There is no bus, unless `prepareBus` makes one in the probe's shell.
    static func prepared(
        probing destination: String = "",
        prepareBus: (TestShell) async throws -> Void = { _ in }
    ) async throws -> NetworkNamespace {
        let network = try await NetworkNamespace()
        try await network.run(
            """
            unshare --net sleep infinity & peer=$!
            until [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/self/ns/net)" ]
            do :; done
            there() { nsenter --target $peer --net "$@"; }
            ip link set lo up
            ip link add v0 type veth peer name v1 netns $peer
            there ip link set lo up
            there ip link set v1 up
            there ip address add 192.0.2.1/24 dev v1
            export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/none"
            """)
        try await prepareBus(network.shell)
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
        try await shell.run(script)
    }

    /// Runs `script`, and waits until the path is in `state` by a look that came after its begin.
    func run(_ script: String, leadsTo state: String) async throws {
        let before = looks
        try await run(script)
        try await wait { $0.looks > before && $0.newestLook?[1] == state }
    }

    /// Reads on until `condition` holds. The test's time limit ends a wait in vain.
    func wait(until condition: (NetworkNamespace) -> Bool) async throws {
        try await shell.wait { _ in condition(self) }
    }

    /// The word at `index` of each report.
    private func said(_ index: Int) -> [String] {
        shell.lines.compactMap { Self.words($0, of: "path")?[index] }
    }

    private var newestLook: [String]? {
        shell.lines.reversed().lazy.compactMap { Self.words($0, of: "look") }.first
    }

    private static func words(_ line: String, of kind: String) -> [String]? {
        let words = line.split(separator: " ").map(String.init)
        return words.first == kind ? Array(words.dropFirst()) : nil
    }

    /// What the system says against these commands in a network of their own.
    private static func refusal(of commands: String) -> String? {
        #if os(Linux)
            TestShell.refusal(of: commands, in: wrapper)
        #else
            "network namespaces are Linux's"
        #endif
    }
}
