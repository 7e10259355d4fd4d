import BelayCore
import BelayTransport

@testable import BelayURLSession

/// A machine with what a channel does around it: it reads on after each report that the owner
/// took, and tells that a ping was started.
struct MachineRun: Hashable, Sendable {
    typealias Input = WebSocketTaskMachine.Input
    typealias Action = WebSocketTaskMachine.Action

    var machine: WebSocketTaskMachine
    var now: Milliseconds = 0

    init(subprotocols: [String] = [], messageLimit: Int = 1_000) {
        machine = WebSocketTaskMachine(subprotocols: subprotocols, messageLimit: messageLimit)
    }

    /// A machine whose connection is open and waits for a message.
    static var open: MachineRun {
        var run = MachineRun()
        run.take(.opened(subprotocol: nil))
        return run
    }

    /// Takes the inputs one after another; all actions, in order.
    @discardableResult
    mutating func take(_ inputs: Input...) -> [Action] {
        inputs.flatMap { take($0) }
    }

    @discardableResult
    mutating func take(_ input: Input) -> [Action] {
        machine.handle(input, now: now).flatMap { action -> [Action] in
            switch action {
            case .reportOpened, .deliver: [action] + take(.readOn)
            case .ping(let number): [action] + take(.pingStarted(number))
            default: [action]
            }
        }
    }

    /// Lets time pass until the machine's deadline.
    mutating func passDeadline() -> [Action] {
        guard let deadline = machine.nextDeadline else { return [] }
        now = deadline
        return take(.deadlineReached)
    }
}

extension WebSocketTaskMachine.Action {
    /// The cause, where it is the end.
    var endCause: CloseCause? {
        if case .reportEnd(let cause, _) = self { cause } else { nil }
    }
}

extension [WebSocketTaskMachine.Action] {
    static func end(_ cause: CloseCause) -> Self {
        [.invalidate, .reportEnd(cause, retryAfter: nil)]
    }
}
