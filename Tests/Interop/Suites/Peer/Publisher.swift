import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Who publishes to a channel of nchan's.
struct Publisher {
    let channel: URL

    /// Publishes a message.
    func publish(_ text: String) async throws { try await send("POST", text) }

    /// Deletes the channel, under its readers.
    func delete() async throws { try await send("DELETE") }

    private func send(_ method: String, _ text: String = "") async throws {
        var request = URLRequest(url: channel)
        request.httpMethod = method
        request.httpBody = Data(text.utf8)
        // By a completion: a cancelled `data(for:)` may never return on Linux (Swift 6.3.1).
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            URLSession.shared.dataTask(with: request) { _, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                if let error { return done.resume(throwing: error) }
                guard 200..<300 ~= status else {
                    return done.resume(throwing: URLError(.badServerResponse))
                }
                done.resume()
            }.resume()
        }
    }
}
