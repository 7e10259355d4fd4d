import BelayCore
import BelayTesting
import Testing

/// The article's inputs to a heartbeat and to the article's sentences, side by side.
///
/// Three generations and every millisecond up to the horizon: the space is finite and exhausted.
private struct ArticleComparison: ExploredModel {
    struct State: Hashable, Sendable {
        var heartbeat = Heartbeat(interval: 2, timeout: 3)
        var article = ArticleHeartbeat(interval: 2, timeout: 3)
        var now: Milliseconds = 0
        var agree = true
    }

    enum Action: Hashable, Sendable {
        case wait, connect, tick
        case opened(UInt64), pong(UInt64)
    }

    let horizon: Milliseconds

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        actions.append(.tick)
        if state.now < horizon { actions.append(.wait) }
        if state.article.number < 3 { actions.append(.connect) }
        for id in 0...state.article.number { actions += [.opened(id), .pong(id)] }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .wait: state.now += 1
        case .connect:
            _ = state.heartbeat.connect()
            state.article.create()
        case .opened(let id):
            state.heartbeat.opened(Generation(id), now: state.now)
            state.article.opened(id, at: state.now)
        case .pong(let id):
            state.heartbeat.pong(Generation(id), now: state.now)
            state.article.pong(id, at: state.now)
        case .tick:
            let order = state.article.check(at: state.now)
            let action = state.heartbeat.tick(now: state.now)
            switch (action, order) {
            case (.ping(let mine), .ping(let its)?), (.close(let mine), .close(let its)?):
                state.agree = mine.number == its
            case (nil, nil): break
            default: state.agree = false
            }
        }
        if state.heartbeat.generation.number != state.article.number { state.agree = false }
        if (state.heartbeat.phase == .open) != state.article.isOpen { state.agree = false }
        if (state.heartbeat.phase == .connecting) != state.article.isConnecting {
            state.agree = false
        }
    }

    var properties: [ExplorationProperty<State, Action>] {
        [
            .always("the heartbeat does what the article says") { $0.agree },
            .sometimes("a second generation closes") {
                $0.article.isOpen && $1 == .tick && !$2.article.isOpen && $2.article.number == 2
            },
        ]
    }
}

/// The comparison is exhausted for times up to 10; the rest is every order of 8 steps.
/// BELAY_EXPLORATION_DEPTH asks for more (`make explore`).
@Suite struct `A heartbeat in every order of events` {
    // W1, W4, W5, W6, W7, W8, W9, W10, W12, W13, W14
    @Test func `does what the article's sentences say`() {
        let horizon = Milliseconds(explorationDepth(3) + 7)
        Exploration(ArticleComparison(horizon: horizon), depth: 1_000)
            .expectSatisfied("heartbeat and article")
    }

    // W2, W3, W5, W7, W9, W14, W19, W23
    @Test func `is never doubled, never early and never saved too late`() {
        Exploration(HeartbeatWorld(), depth: explorationDepth(3) + 5).expectSatisfied("heartbeat")
    }

    // W5, W9, W14, W18, W19
    @Test func `holds its rules in every order of inputs where it forgives`() {
        let policy = Heartbeat.Policy(
            interval: 3, timeout: 4, queuedTimeout: 6, missedPongs: 1, overdueAfter: 2,
            overdueTimeout: 2, inbound: .postponesPing)
        Exploration(HeartbeatWorld(policy: policy), depth: explorationDepth(3) + 4)
            .expectSatisfied("forgiving heartbeat")
    }
}
