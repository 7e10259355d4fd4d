import BelayTCP
import BelayTransport

/// The endpoint on its loop: who listens, and what its connections share.
actor EndpointServer {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }

    let core: EndpointCore
    private let loop: EventLoop
    private let respondent: Respondent?
    private var listener: TCPListener?
    private var nextWait = 0

    init(loop: EventLoop, plan: FaultPlan, limits: EndpointLimits, respondent: Respondent?) {
        (self.loop, self.respondent) = (loop, respondent)
        core = EndpointCore(loop: loop, plan: plan, limits: limits)
    }

    func start(
        host: String, port: UInt16, exposure: Exposure
    ) throws(EndpointError) -> UInt16 {
        guard listener == nil else { throw .alreadyStarted }
        guard let address = SocketAddress(numeric: host, port: port) else {
            throw .notAnAddress(host: host)
        }
        guard exposure == .anyAddress || address.isLoopback else {
            throw .notLoopback(host: host)
        }
        do {
            let listener = try TCPListener(host: host, port: port, on: loop) { [core] stream in
                core.accept(stream)
            }
            self.listener = listener
            core.bodyLimit = respondent?.bodyLimit
            core.ask = respondent.map(asking)
            return listener.address.port
        } catch {
            throw .cannotListen(host: host, port: port, reason: error.description)
        }
    }

    /// Asks off the loop, and comes back onto it with the answer.
    private func asking(
        _ respondent: Respondent
    ) -> (PlainRequest, Int) -> Task<Void, Never> {
        { [loop, weak self] request, number in
            return Task { [weak self] in
                let answer = await respondent.answer(request)
                loop.submit { [weak self] in
                    self?.assumeIsolated { $0.core.answer(answer, to: number) }
                }
            }
        }
    }

    func stop() {
        listener?.close()
        listener = nil
        core.endAll()
    }

    /// Answers once the condition holds; the number cancels the wait.
    func wait(
        until condition: @escaping @Sendable ([EndpointEntry]) -> Bool, _ answer: Answer<Bool>
    ) -> Int {
        nextWait += 1
        core.wait(nextWait, until: condition, answer)
        return nextWait
    }
}
