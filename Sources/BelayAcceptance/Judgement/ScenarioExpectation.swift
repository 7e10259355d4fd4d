public import BelayCore
public import BelayFaults

/// What a scenario's evidence must show, with its threshold. Evaluated purely over the evidence.
///
/// Lower bounds of times are exact: no machine is too fast. Upper bounds are generous, and a
/// machine that stood still makes them inconclusive.
public enum ScenarioExpectation: Hashable, Sendable {
    // The life of generations.

    /// Generations opened so often.
    case opened(Count)
    /// These causes ended the generations, one for each, and there were no others.
    case causes([CloseCause])
    /// These causes ended the first generations.
    case firstCauses([CloseCause])
    /// Every generation that began has exactly one cause, and the app read it at most once.
    case oneCauseEach
    /// Each generation is greater than all before it.
    case generationsRise
    /// Inputs of this kind were ignored for this reason, so often.
    case ignored(String, InputVerdict, Count)
    /// Whatever was ignored left the status as it was, and ended nothing.
    case ignoredChangesNothing
    /// The app read nothing of a generation that it knew to be over.
    case nothingAfterItsEnd
    /// The app read no more messages than the connection had accepted.
    case readsOnlyAccepted
    /// From each end to the next attempt, in milliseconds.
    case waitBetweenAttempts(Span)

    // The heartbeat.

    /// Pings left so often.
    case pings(Count)
    /// Pings were answered in time so often.
    case pongs(Count)
    /// From each opening to its first ping, in milliseconds.
    case firstPing(Span)
    /// From each answer in time to the next ping, in milliseconds.
    case pingAfterPong(Span)
    /// No ping left while another was unanswered.
    case oneOutstandingPing
    /// From each heartbeat's last ping to the end it caused, in milliseconds.
    case deathAfterPing(Span)
    /// From the return to the foreground to the next ping, in milliseconds.
    case pingAfterForeground(Span)
    /// Between leaving the foreground and coming back no ping left and nothing was attempted.
    case calmInBackground

    // What went to and fro.

    /// The app read so many messages.
    case messages(Count)
    /// So many sends succeeded.
    case sends(Count)
    /// The endpoint accepted so many connections.
    case endpointConnections(Count)
    /// The endpoint recorded this so often.
    case endpoint(EndpointEntry.Event, Count)
    /// After the app had left, no connection and no request reached the endpoint for so many
    /// milliseconds.
    case silenceAfterLeaving(Milliseconds)
    /// Soon after the app had left, the endpoint had seen the end of every connection.
    case nothingLeftOpen

    // Events and the cursor.

    /// The handler was given these ids, in this order, repetitions included.
    case handled([String])
    /// The app's store holds the effects of these ids, in this order, each once.
    case applied([String])
    /// The data of the effects, in this order, had so many bytes: as they were sent, and no more.
    case appliedBytes([Int])
    /// The app's store holds the effects of the ids 1 to this, in order, each once.
    case appliedAll(through: Int)
    /// Events that were committed earlier were skipped so often.
    case skipped(Count)
    /// The handler failed so often.
    case failures(Count)
    /// Where the cursor stood after each event, in order; `nil` for no cursor.
    case cursors([String?])
    /// What `Last-Event-ID` said in each request that reached the endpoint; `nil` for none.
    case lastEventIDs([String?])
    /// Each request said where the cursor stood when it was made.
    case requestsSayTheCursor
    /// The cursor moved only with a commit, or to where a snapshot stands.
    case cursorMovesByCommit
    /// Reading ended like this.
    case readingEnds(AppRecord.ReadingEnd)
    /// The endpoint was never more than so many whole events ahead of the handler.
    case sentAhead(atMost: Int)

    // The path.

    /// What the screen showed, in order.
    case banners([Banner])
    /// What the path was at each drawing of the screen.
    case paths([PathState])
    /// What the newest outcome was at each drawing of the screen.
    case outcomes([RequestOutcome])
    /// Whether the path was expensive at each drawing of the screen.
    case expensive([Bool])
    /// What became of each report of the path.
    case pathVerdicts([InputVerdict])

    /// What every client must keep, whatever the scenario.
    static let standing: [ScenarioExpectation] = [
        .generationsRise, .oneCauseEach, .ignoredChangesNothing, .nothingAfterItsEnd,
        .readsOnlyAccepted, .oneOutstandingPing, .requestsSayTheCursor,
    ]
}

/// How often something must have been seen.
public enum Count: Hashable, Sendable {
    /// Neither more nor less often.
    case exactly(Int)
    /// So often or more.
    case atLeast(Int)

    func contains(_ count: Int) -> Bool {
        switch self {
        case .exactly(let times): count == times
        case .atLeast(let times): count >= times
        }
    }

    /// The threshold as a report writes it.
    var text: String {
        switch self {
        case .exactly(let times): "\(times)"
        case .atLeast(let times): ">= \(times)"
        }
    }
}

/// A length of time in milliseconds: an exact lower bound, and a generous upper one.
public struct Span: Hashable, Sendable {
    let lower: Milliseconds
    let upper: Milliseconds

    /// At least `lower`, at most `upper` milliseconds.
    public init(_ lower: Milliseconds, within upper: Milliseconds) {
        self.lower = lower
        self.upper = upper
    }

    /// The threshold as a report writes it.
    var text: String { "\(lower) to \(upper) ms" }
}
