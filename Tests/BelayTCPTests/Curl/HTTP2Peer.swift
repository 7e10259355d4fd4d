#if os(Linux)
    import BelayTransport
    import Foundation
    import Testing

    /// The server of `h2_peer.py`: another implementation's end of HTTP/2. It lives as long as the
    /// tests do.
    struct HTTP2Peer: Sendable {
        /// Whether a test that speaks HTTP/2 can run here.
        static let isAvailable = TLSPeer.isAvailable && hasModule
        static let absence: Comment = "HTTP/2 is tested where python3-h2 is; see Scripts/setup"

        /// Started by whoever asks first.
        static var shared: HTTP2Peer {
            get throws { try started.get() }
        }
        private static let started = Result { try HTTP2Peer() }

        private let script: PeerScript

        /// The system's, which has the system's modules; the first on PATH may be another.
        private static let python = "/usr/bin/python3"

        private static var hasModule: Bool {
            let process = Process()
            process.executableURL = URL(filePath: python)
            process.arguments = ["-c", "import h2; print('there')"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            // To the end of its words: whoever waits for the process itself may wait for ever.
            return output.fileHandleForReading.readDataToEndOfFile() == Data("there\n".utf8)
        }

        private init() throws {
            script = try PeerScript("h2_peer", by: Self.python, [try TLSPeer.shared.file("")])
        }

        func url(_ target: String) throws -> ConnectionURL {
            try ConnectionURL("https://localhost:\(try script.port(of: "h2"))\(target)")
        }
    }
#endif
