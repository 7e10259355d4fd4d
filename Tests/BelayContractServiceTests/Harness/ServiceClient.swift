import BelayTransport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A harness's requests to a service, over the system's HTTP client.
struct ServiceClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let location: String?
        let allow: String?
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let base: String

    func send(_ method: String, _ path: String = "/", _ body: String? = nil) async throws -> Answer
    {
        let address = path.hasPrefix("http") ? path : base + path
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let answer = BelayTransport.Answer<Result<Answer, any Error>>()
        // As in `ContractPoster`, by a completion.
        URLSession.shared.dataTask(with: request) { data, response, error in
            guard let response = response as? HTTPURLResponse else {
                answer.give(.failure(error ?? URLError(.badServerResponse)))
                return
            }
            answer.give(
                .success(
                    Answer(
                        status: response.statusCode,
                        location: response.value(forHTTPHeaderField: "Location"),
                        allow: response.value(forHTTPHeaderField: "Allow"), body: data ?? Data())))
        }.resume()
        return try await answer.value().get()
    }
}

/// The parameters of a stream, as a harness sends them.
struct Order: Encodable, Sendable {
    var streamUrl = ""
    var callbackUrl = ""
    var tag = "a case"
    /// As the public harness: no wait of note, so that reconnections are quick.
    var initialDelayMs: Int? = 0
    var readTimeoutMs: Int?
    var lastEventId: String?
    var headers: [String: String]?
    var method: String?
    var body: String?

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
