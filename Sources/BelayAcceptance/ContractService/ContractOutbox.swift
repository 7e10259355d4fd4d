import BelayTransport
import Synchronization

/// What one stream has to tell, in order, until it is posted.
///
/// An event is told once it is committed: a harness that breaks the connection when it hears of an
/// event must find that event's id in the next request.
final class ContractOutbox: Sendable {
    /// Messages that may wait; one more waits for room, and the stream is not read on. 64, as many
    /// as `DeliveryLimit` lets wait.
    static let limit = 64

    private enum Life {
        case open
        /// Nothing is added any more; what waits goes out.
        case closing
        /// Nothing goes out any more.
        case over
    }

    private struct State {
        var life = Life.open
        var messages: [ContractMessage] = []
        /// Handled, and not committed yet.
        var held: ContractMessage?
        /// Waits for a message.
        var reader: Answer<Void>?
        /// Waits for room.
        var writer: Answer<Void>?

        /// Takes the oldest, and who waits for its room; where there is none, `arrival` waits.
        mutating func take(orElse arrival: Answer<Void>) -> (Taken, writer: Answer<Void>?) {
            if !messages.isEmpty { return (.message(messages.removeFirst()), writer.take()) }
            guard life == .open else { return (.end, nil) }
            reader = arrival
            return (.nothing, nil)
        }
    }

    private enum Taken {
        case message(ContractMessage)
        case nothing
        case end
    }

    private let state = Mutex(State())

    /// Holds an event until it is committed.
    func hold(_ message: ContractMessage) async {
        await room()
        state.withLock { $0.held = message }
    }

    /// The held event is committed, and may be told.
    func release() {
        put { $0.held.take() }
    }

    /// Adds what needs no commit.
    func add(_ message: ContractMessage) async {
        await room()
        put { _ in message }
    }

    /// Nothing is added any more; what waits goes out.
    func close() {
        end { if $0.life == .open { $0.life = .closing } }
    }

    /// Nothing goes out any more.
    func drop() {
        end { state in
            state.life = .over
            state.messages = []
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            return (state.reader.take(), state.writer.take())
        }
        waiting.0?.give(())
        waiting.1?.give(())
    }

    /// The next message; `nil` where no more goes out.
    func next() async -> ContractMessage? {
        while true {
            let arrival = Answer<Void>()
            let (taken, writer) = state.withLock { $0.take(orElse: arrival) }
            writer?.give(())
            switch taken {
            case .message(let message): return message
            case .nothing: await arrival.value()
            case .end: return nil
            }
        }
    }

    private func put(_ message: (inout State) -> ContractMessage?) {
        let reader = state.withLock { state -> Answer<Void>? in
            guard let message = message(&state), state.life == .open else { return nil }
            state.messages.append(message)
            return state.reader.take()
        }
        reader?.give(())
    }

    private func room() async {
        while true {
            let vacancy = Answer<Void>()
            let isFull = state.withLock { state in
                guard state.messages.count >= Self.limit, state.life == .open else { return false }
                state.writer = vacancy
                return true
            }
            guard isFull else { return }
            await vacancy.value()
        }
    }
}
