public import BelayCore

/// What a scenario's next step waits for: an entry of the client's side, so many times in all.
public struct Condition: Hashable, Sendable {
    /// The kinds of entries.
    public enum Occasion: Hashable, Sendable {
        /// A generation began.
        case attempted
        /// A generation opened.
        case opened
        /// A generation ended.
        case ended
        /// A ping left for the system.
        case pinged
        /// The outstanding ping was answered in time.
        case answered
        /// The connection said this about an input of this kind: `pong`, `late`.
        case ignored(input: String, InputVerdict)
        /// The connection waits for its next attempt.
        case waiting
        /// The connection is no longer read, since the app lags.
        case paused
        /// The app read a message.
        case message
        /// A send returned or failed.
        case sendEnded
        /// The handler was given the event with this id.
        case handling(id: String)
        /// An event ended at its handler like this.
        case event(EventRecord.Result)
        /// The cursor was committed behind the event with this id.
        case committed(id: String)
        /// The path reported.
        case pathReported
        /// Reading ended.
        case readingEnded
    }

    /// The kind of entry.
    public let occasion: Occasion
    /// How often since the scenario began; at least 1.
    public let times: Int

    /// A condition that is met at the `times`th entry of its kind.
    public init(_ occasion: Occasion, times: Int = 1) {
        precondition(times >= 1, "times \(times): at least 1")
        self.occasion = occasion
        self.times = times
    }

    /// Whether `entry` is of the kind.
    func matches(_ entry: ClientEntry) -> Bool {
        switch entry {
        case .record(.connection(let record)): matches(record)
        case .record(.event(let record)): matches(record)
        case .record(.path): occasion == .pathReported
        case .app(let record): matches(record.event)
        }
    }

    private func matches(_ record: ConnectionRecord) -> Bool {
        switch occasion {
        case .attempted: record.before != record.after && record.after.isConnecting
        case .opened: record.verdict == .accepted && record.input.is("opened")
        case .ended: record.cause != nil
        case .pinged: record.verdict == .accepted && record.input.is("pingHandedOver")
        case .answered: record.verdict == .accepted && record.input.is("pong")
        case .ignored(let input, let verdict):
            record.verdict == verdict && record.input.is(input)
        case .waiting: record.before != record.after && record.after.isWaiting
        case .paused: record.verdict == .accepted && record.input.is("readingPaused")
        case .message, .sendEnded, .handling, .event, .committed, .pathReported, .readingEnded:
            false
        }
    }

    private func matches(_ record: EventRecord) -> Bool {
        switch occasion {
        case .event(let result): record.result == result
        case .committed(let id): record.result == .committed && record.id?.text == id
        case .attempted, .opened, .ended, .pinged, .answered, .ignored, .waiting, .paused, .message,
            .sendEnded, .handling, .pathReported, .readingEnded:
            false
        }
    }

    private func matches(_ event: AppRecord.Event) -> Bool {
        switch (occasion, event) {
        case (.message, .message), (.sendEnded, .sendEnded), (.readingEnded, .readingEnded): true
        case (.handling(let id), .handling(let handled)): handled?.text == id
        default: false
        }
    }
}

extension Condition: CustomStringConvertible {
    /// The condition as a report writes it: `opened, 2 times`.
    public var description: String {
        times == 1 ? "\(occasion)" : "\(occasion), \(times) times"
    }
}

extension ConnectionStatus {
    var isConnecting: Bool {
        if case .connecting = self { true } else { false }
    }

    var isWaiting: Bool {
        if case .waiting = self { true } else { false }
    }
}
