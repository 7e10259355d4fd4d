import BelayCore
import BelayTransport

extension ConnectionDriver {
    /// The transport of a generation that has not ended.
    struct Live {
        let generation: Generation
        var stage: Stage
        var reading = Reading.flowing

        var channel: Role.Channel? {
            if case .running(let channel) = stage { channel } else { nil }
        }
    }

    /// How far its attempt has come.
    enum Stage {
        /// The app completes the request; there is no channel yet.
        case preparing(Task<Void, Never>)
        case running(Role.Channel)
        /// No transport could send the request: its end is on the way, and there is no channel.
        case refused
    }
}
