#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Looks names up for a loop, on threads of its own: the system's call waits for servers.
///
/// A look-up cannot be interrupted. A cancelled one ends unheard; its thread is joined when it
/// is done.
final class NameResolver {
    /// Names one look-up.
    struct Ticket: Hashable {
        fileprivate let number: UInt64
    }
    typealias Answer = Result<[SocketAddress], SocketError>

    private struct Question {
        let ticket: Ticket
        let host: String
        let port: UInt16
    }

    /// Threads at a time: one dead name server must not hold up every other name, and a storm of
    /// attempts must not start a thread each.
    private static let threadLimit = 8

    private unowned let loop: EventLoop
    private var lastNumber: UInt64 = 0
    private var waiting: [Question] = []
    private var threads: [Ticket: SystemThread] = [:]
    private var completions: [Ticket: (Answer) -> Void] = [:]

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Looks `host` up; `completion` is called on the loop, in a later turn.
    func resolve(
        _ host: String, port: UInt16, completion: @escaping (Answer) -> Void
    ) -> Ticket {
        loop.preconditionOnLoop()
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        completions[ticket] = completion
        waiting.append(Question(ticket: ticket, host: host, port: port))
        startNext()
        return ticket
    }

    /// Forgets a look-up; it is not answered.
    func cancel(_ ticket: Ticket) {
        loop.preconditionOnLoop()
        completions[ticket] = nil
        waiting.removeAll { $0.ticket == ticket }
    }

    /// Waits for the threads under way; nothing is answered.
    func stop() {
        completions = [:]
        waiting = []
        for thread in threads.values { thread.join() }
        threads = [:]
    }

    private func startNext() {
        guard threads.count < Self.threadLimit, !waiting.isEmpty else { return }
        let question = waiting.removeFirst()
        do {
            threads[question.ticket] = try SystemThread { [loop] in
                let answer = Self.addresses(of: question.host, port: question.port)
                loop.submit { loop.resolver.answered(question.ticket, answer) }
            }
        } catch {
            loop.putOff { [self] in answered(question.ticket, .failure(error)) }
        }
    }

    private func answered(_ ticket: Ticket, _ answer: Answer) {
        // The thread's last act was to report: joining it waits for no name server.
        threads.removeValue(forKey: ticket)?.join()
        startNext()
        completions.removeValue(forKey: ticket)?(answer)
    }

    private static func addresses(of host: String, port: UInt16) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Darwin)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
            return .failure(.nameNotResolved)
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let raw = info.ai_addr, let address = SocketAddress(raw) {
                addresses.append(address)
            }
            entry = info.ai_next
        }
        return addresses.isEmpty ? .failure(.nameNotResolved) : .success(addresses)
    }
}
