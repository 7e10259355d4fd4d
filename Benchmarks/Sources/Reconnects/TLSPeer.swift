import Belay
import Foundation

/// `Peers/tls.py` in a process of its own: TLS before an endpoint, by another implementation.
final class TLSPeer {
    /// Where it listens.
    let port: Int
    private let folder: URL
    private let process = Process()
    /// It ends when its input does, and so with this process.
    private let input = Pipe()

    /// Starts one before the endpoint at `port`.
    init(before endpoint: UInt16) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(component: "belay-soak-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "Peers/tls.py", "\(endpoint)", folder.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // One line, or the end where it could not start; its reason is on our standard error.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else {
            throw Failure.notStarted
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Trusts the authority that it made.
    var trusting: TLSPolicy {
        TLSPolicy(authoritiesFile: folder.appending(component: "authority.pem").path)
    }

    enum Failure: Error, CustomStringConvertible {
        case notStarted

        var description: String {
            "Peers/tls.py did not start: it needs python3 and openssl (Scripts/setup)"
        }
    }
}
