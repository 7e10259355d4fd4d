import Belay
import Foundation

/// What a harness sends to begin a stream.
///
/// Source: sse-contract-tests, `docs/service_spec.md`, "Create stream".
struct ContractOrder: Decodable {
    let streamUrl: String
    let callbackUrl: String
    let initialDelayMs: Int?
    let readTimeoutMs: Int?
    let lastEventId: String?
    let headers: [String: String]?
    let method: String?
    let body: String?
}

extension ContractOrder {
    /// The request of each attempt.
    func request() throws(ContractRefusal) -> EventStreamRequest {
        var request = EventStreamRequest(url: try address, method: try requestMethod)
        request.body = body.map { Array($0.utf8) }
        // In a known order: a dictionary has none.
        for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            do throws(RequestField.Invalid) {
                request.fields.append(try RequestField(name, value))
            } catch {
                throw .unusable("headers", "\(name) cannot be sent")
            }
        }
        return request
    }

    /// Where messages go: the number of each is added to its path.
    func callback() throws(ContractRefusal) -> URL {
        guard let url = URL(string: callbackUrl), url.host != nil,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { throw .unusable("callbackUrl", "an absolute http address is wanted") }
        return url
    }

    /// Waits and timeouts; what the harness does not say is as in any app.
    func configuration() throws(ContractRefusal) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        if let wait = try milliseconds(initialDelayMs, "initialDelayMs", atLeast: 0) {
            configuration.firstWait = wait
            configuration.shortestWait = min(configuration.shortestWait, wait)
        }
        configuration.idleTimeout =
            try milliseconds(readTimeoutMs, "readTimeoutMs", atLeast: 1).map { .after($0) } ?? .none
        return configuration
    }

    private var address: ConnectionURL {
        get throws(ContractRefusal) {
            let url: ConnectionURL
            do throws(ConnectionURL.Invalid) {
                url = try ConnectionURL(streamUrl)
            } catch {
                throw .unusable("streamUrl", "an absolute http address is wanted")
            }
            switch url.scheme {
            case .http, .https: return url
            case .ws, .wss: throw .unusable("streamUrl", "an absolute http address is wanted")
            }
        }
    }

    private var requestMethod: RequestMethod {
        get throws(ContractRefusal) {
            do throws(RequestMethod.Invalid) {
                return try method.map { name throws(RequestMethod.Invalid) in
                    try RequestMethod(name)
                } ?? .get
            } catch {
                throw .unusable("method", "its response can be no stream")
            }
        }
    }

    private func milliseconds(
        _ number: Int?, _ name: String, atLeast least: Int
    ) throws(ContractRefusal) -> Duration? {
        guard let number else { return nil }
        guard number >= least else { throw .unusable(name, "at least \(least) is wanted") }
        return .milliseconds(number)
    }
}

/// What a harness orders of a stream that runs.
///
/// Source: sse-contract-tests, `docs/service_spec.md`, "Send command".
struct ContractCommand: Decodable {
    struct Listening: Decodable {
        let type: String
    }

    let command: String
    let listen: Listening?
}
