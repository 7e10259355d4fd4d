import BelayCore

/// What the query of one request asks for.
struct RequestOptions {
    /// Faults of this connection, behind those of the plan.
    var rules: [FaultRule] = []
    /// Events to tell on `/events`, when it is not the fixture.
    var eventCount: Int?
    /// The data of each of them, in bytes.
    var eventBytes = 16
    /// Messages to push on `/ws`.
    var messageCount = 0
    /// From one event or message to the next.
    var interval: Milliseconds = 0

    /// The events that were asked for.
    var events: NumberedEvents {
        var events = NumberedEvents.fixture
        if let eventCount { events = NumberedEvents(count: eventCount, dataBytes: eventBytes) }
        events.interval = interval
        return events
    }
}
