import Belay
import BelayFaults
import BelayWire
import Foundation

/// The streams of a harness, by their numbers, and what it may ask for.
actor ContractStreams {
    /// Streams at once. A harness has one or two; a thousand that nobody deleted are a fault.
    static let limit = 1_000

    private struct Running {
        let stream: ContractStream
        let task: Task<Void, Never>
    }

    private let transport: any EventStreamTransport
    private let poster = ContractPoster()
    private var running: [Int: Running] = [:]
    private var newest = 0

    init(over transport: any EventStreamTransport) {
        self.transport = transport
    }

    /// Answers a request; `quit` is called once the answer to `DELETE /` has left.
    func answer(_ request: PlainRequest, quit: @escaping @Sendable () -> Void) async -> PlainAnswer
    {
        do throws(ContractRefusal) {
            guard request.path != "/" else { return try answerRoot(request, quit: quit) }
            return try await answerStream(request)
        } catch {
            var fields: HTTPFields = ["Content-Type": "text/plain; charset=utf-8"]
            if case .wrongMethod(let allowed) = error { fields.append("Allow", allowed) }
            return PlainAnswer(
                status: error.status, fields: fields, body: Array("\(error)\n".utf8))
        }
    }

    /// Ends all streams, and begins none any more.
    func endAll() async {
        let ended = running.values.map(\.task)
        running = [:]
        for task in ended { task.cancel() }
        for task in ended { await task.value }
        poster.end()
    }

    // MARK: /

    private func answerRoot(
        _ request: PlainRequest, quit: @escaping @Sendable () -> Void
    ) throws(ContractRefusal) -> PlainAnswer {
        switch request.method {
        case "GET", "HEAD": return Self.status
        case "POST": return try create(request)
        case "DELETE": return PlainAnswer(status: 204, afterwards: quit)
        default: throw .wrongMethod(allowed: "GET, HEAD, POST, DELETE")
        }
    }

    /// What this client is, and what it can do.
    private static let status: PlainAnswer = {
        let names = ContractCapability.allCases.map { "\"\($0.rawValue)\"" }
        let text =
            "{\"name\":\"belay\",\"clientVersion\":\"\(BelayVersion.current)\","
            + "\"capabilities\":[\(names.joined(separator: ","))]}\n"
        return PlainAnswer(
            status: 200, fields: ["Content-Type": "application/json"], body: Array(text.utf8))
    }()

    private func create(_ request: PlainRequest) throws(ContractRefusal) -> PlainAnswer {
        // Who asked has gone, and with it perhaps the whole service: nobody would end the stream.
        guard !Task.isCancelled else { return PlainAnswer(status: 503) }
        guard running.count < Self.limit else { throw .tooManyStreams(limit: Self.limit) }
        let order = try ContractRefusal.reading(ContractOrder.self, from: request.body)
        let stream = try ContractStream(order, over: transport, poster: poster)
        newest += 1
        running[newest] = Running(stream: stream, task: Task { await stream.run() })
        let path = "/streams/\(newest)"
        return PlainAnswer(status: 201, fields: ["Location": Self.address(of: path, for: request)])
    }

    /// The whole address where the request names a host that one can be made of.
    private static func address(of path: String, for request: PlainRequest) -> String {
        guard let host = request.fields["Host"], let url = try? ConnectionURL("http://\(host)")
        else { return path }
        return "http://\(url.authority)\(path)"
    }

    // MARK: /streams/N

    private func answerStream(_ request: PlainRequest) async throws(ContractRefusal) -> PlainAnswer
    {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, parts[1] == "streams",
            let number = Int(parts[2]), let found = running[number]
        else { throw .notFound(request.path) }
        switch request.method {
        case "POST":
            let command = try ContractRefusal.reading(ContractCommand.self, from: request.body)
            try await found.stream.obey(command)
            return PlainAnswer(status: 202)
        case "DELETE":
            running[number] = nil
            found.task.cancel()
            await found.task.value
            return PlainAnswer(status: 204)
        default: throw .wrongMethod(allowed: "POST, DELETE")
        }
    }
}
