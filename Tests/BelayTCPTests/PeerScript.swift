import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A Python script of these tests that serves: another implementation's end of a protocol.
///
/// It prints `name port` for each of its servers and then `ready`, and ends when its input does,
/// which lives as long as this value.
struct PeerScript: Sendable {
    private let ports: [String: UInt16]
    private let input = Pipe()

    /// Starts `name.py` with `arguments`, and returns when it is ready.
    init(_ name: String, by python: String, _ arguments: [String]) throws {
        let script = try #require(Bundle.module.url(forResource: name, withExtension: "py"))
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, script.path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.hasSuffix("ready\n") {
            // A script that hangs must not hold the thread that all tests share.
            var readable = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&readable, 1, 60_000) > 0, "\(name).py was not ready in a minute")
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "\(name).py ended before it was ready")
            text += String(decoding: data, as: UTF8.self)
        }
        ports = text.split(separator: "\n").reduce(into: [:]) { ports, line in
            let words = line.split(separator: " ")
            if words.count == 2 { ports[String(words[0])] = UInt16(words[1]) }
        }
    }

    func port(of server: String) throws -> UInt16 {
        try #require(ports[server])
    }
}
