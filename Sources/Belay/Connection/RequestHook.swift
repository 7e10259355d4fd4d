public import BelayCore

/// Completes the request of each attempt in the app's own code: a fresh token, a signed address.
///
/// It is asked anew for every attempt, also after a long wait, so that no attempt goes out with
/// what has expired. The attempt's open timeout covers it; one that is given up meanwhile cancels
/// it, and what it still answers is stale. A hook that throws ends its attempt with
/// `requestFailed`, which is come back from.
///
/// A server that refuses by 401 or 403 is asked once more, with what the hook answers then; a
/// second refusal in a row stops the connection.
public struct RequestHook<Request: Sendable>: Sendable {
    private let executor: (any TaskExecutor)?
    private let complete: @Sendable (Request, RequestAttempt) async throws -> Request

    /// A hook.
    ///
    /// - Parameters:
    ///   - executor: Where it runs; by default where Swift runs tasks, never on a transport's loop.
    ///   - complete: Given the request as it would go out, answers the one to be sent. An event
    ///     stream's cursor is put in afterwards: it is the ledger's.
    public init(
        on executor: (any TaskExecutor)? = nil,
        _ complete: @escaping @Sendable (Request, RequestAttempt) async throws -> Request
    ) {
        self.executor = executor
        self.complete = complete
    }

    /// Asks; `answer` is given the request, or `nil` for a failure. The caller owns the task.
    func ask(
        _ request: Request, _ attempt: RequestAttempt,
        answer: @escaping @Sendable (Request?) -> Void
    ) -> Task<Void, Never> {
        return Task(executorPreference: executor) { [complete] in
            // The error is the app's own: evidence must not carry its text (law 8).
            answer(try? await complete(request, attempt))
        }
    }
}

/// The attempt that a `RequestHook` completes the request for.
public struct RequestAttempt: Hashable, Sendable {
    /// The attempt's own number.
    public let generation: Generation
    /// Why the generation before ended; `nil` for the first. A 401 wants another token.
    public let previous: CloseCause?
}
