import BelayTransport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts messages to a harness, for all streams of a service.
///
/// Over the system's HTTP client, not over Belay's own: what is under test must not carry the
/// news of its own failure.
///
/// Nothing is cancelled: on Linux (FoundationNetworking of Swift 6.3.1) cancelling a task that
/// awaits `data(for:)` may never return, where each side waits for what the other holds, and
/// cancelling a data task that is just completing traps. What is not waited for ends by itself.
struct ContractPoster: Sendable {
    /// How long a harness may take for one message. Its own waits are 5 s.
    private static let patience: TimeInterval = 10

    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.patience
        session = URLSession(configuration: configuration)
    }

    /// Whether the harness took the message of this number; not waited for by a cancelled task.
    func post(_ message: ContractMessage, number: Int, to callback: URL) async -> Bool {
        var request = URLRequest(url: callback.appendingPathComponent(String(number)))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        do {
            request.httpBody = try JSONEncoder().encode(message)
        } catch {
            return false  // Texts can always be encoded.
        }
        let answer = Answer<Bool>()
        session.dataTask(with: request) { _, response, _ in
            let status = (response as? HTTPURLResponse)?.statusCode
            answer.give(status.map { 200..<300 ~= $0 } ?? false)
        }.resume()
        return await answer.value(ifCancelled: false)
    }

    /// Lets the session go once all is posted; nothing can be posted after it.
    func end() {
        session.finishTasksAndInvalidate()
    }
}
