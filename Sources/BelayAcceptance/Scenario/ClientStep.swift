public import BelayCore

/// What the app of a scenario does next.
public enum ClientStep: Hashable, Sendable {
    // Reading is the connection's scope.

    /// Begins to read: connects.
    case read
    /// Cancels the task that reads, and waits for its end.
    case cancel
    /// Closes the connection, and waits until reading ended.
    case close
    /// Does as if it had left, and goes on. Broken on purpose, for the judge's own test.
    case pretendToLeave

    // What an app asks of its connection.

    /// Sends a text message; returns when its bytes have left.
    case send(String)
    /// Wants another transport.
    case reconnect
    /// The user asks for a retry.
    case retry
    /// Leaves the foreground.
    case background
    /// Comes back to it.
    case foreground
    /// Begins anew without what was processed. Broken on purpose, for the judge's own test.
    case forgetCursor
    /// Begins anew with what was processed: the app was started again.
    case restart

    // The path's side.

    /// Begins an observation; the one before is cancelled.
    case observePath
    /// An observation reports: the present one, or the one before it.
    case path(PathUpdate, from: Observation = .present)
    /// The screen is drawn: banner, path and outcome are noted.
    case show

    // Time.

    /// Waits until the evidence shows something.
    case until(Condition)
    /// Lets time pass, to see what happens in it, in milliseconds.
    case wait(Milliseconds)

    /// Which observation of the path reports.
    public enum Observation: Hashable, Sendable {
        /// The newest.
        case present
        /// The one that was cancelled when the newest began.
        case cancelled
    }

    /// `until` the `times`th entry of a kind.
    public static func until(_ occasion: Condition.Occasion, times: Int = 1) -> ClientStep {
        .until(Condition(occasion, times: times))
    }
}
