import BelayCore
import BelayTransport
import BelayWire

extension EventReading {
    /// An event that the app has and has not settled.
    struct InHand {
        let event: ServerSentEvent
        let id: EventID?
        let generation: Generation
        /// From 1; the attempts to store it count, too.
        var attempt = 1
        /// This handing over's own: what was handed over again is not settled by the older one.
        var number: UInt64
    }

    /// What became of a settlement that was not refused.
    enum Settlement {
        /// The cursor moved.
        case stored
        /// The program closed the stream while storing was waited for; the cursor stands before.
        case closed
    }
}
