import BelayTCP
import BelayTransport
import Foundation
import Testing

/// The servers of `tls_peer.py`: another implementation's end of TLS. They live as long as the
/// tests do.
struct TLSPeer: Sendable {
    /// What each server shows or does, as the script names it.
    enum Server: String, Sendable {
        case good, stranger, other, expired, old, asking, half, farewell, drip, cut, reset, clear
        case silent
    }

    /// Whether a test that speaks TLS can run here.
    static let isAvailable =
        speaksTLS
        && ["python3", "openssl"].allSatisfy { tool in
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            return folders.contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
            }
        }
    static let absence: Comment = "TLS is tested on Linux, where python3 and openssl are"
    private static let speaksTLS = (try? TLSPolicy.standard.check()) != nil

    /// Started by whoever asks first.
    static var shared: TLSPeer {
        get throws { try started.get() }
    }
    private static let started = Result { try TLSPeer() }

    private let folder: String
    private let script: PeerScript

    private init() throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            component: "belay-tls-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        folder = directory.path
        script = try PeerScript("tls_peer", by: "python3", [folder])
    }

    func port(of server: Server) throws -> UInt16 {
        try script.port(of: server.rawValue)
    }

    func url(
        of server: Server, host: String = "127.0.0.1", _ target: String = "/echo"
    ) throws -> ConnectionURL {
        try ConnectionURL("wss://\(host):\(try port(of: server))\(target)")
    }

    /// The path of a file that the script made.
    func file(_ name: String) -> String { "\(folder)/\(name)" }

    /// Trusts the script's authority.
    var trusting: TLSPolicy { TLSPolicy(authoritiesFile: file("authority.pem")) }

    /// Shows the certificate that the server `asking` asks for.
    var presenting: TLSPolicy {
        TLSPolicy(
            authoritiesFile: file("authority.pem"),
            clientCertificate: TLSPolicy.ClientCertificate(
                certificateFile: file("client.pem"), keyFile: file("client.key")))
    }
}

/// A WebSocket of a test's and what it reported.
struct LoggedWebSocket {
    let channel: any WebSocketChannel
    let log: EventLog<WebSocketMessage>

    init(to url: ConnectionURL, _ settings: DialSettings, on loop: EventLoop) {
        log = EventLog(on: loop)
        let transport = TCPWebSocketTransport(on: loop, dial: settings)
        channel = transport.open(WebSocketRequest(url: url), sink: log.sink)
    }
}
