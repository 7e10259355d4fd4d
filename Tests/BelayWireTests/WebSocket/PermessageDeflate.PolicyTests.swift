import BelayWire
import Testing

@Suite struct `A policy of permessage-deflate` {
    typealias Policy = PermessageDeflate.Policy

    struct Offered: CustomTestStringConvertible, Sendable {
        let policy: Policy
        let text: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        Offered(policy: .client, text: "permessage-deflate; client_max_window_bits"),
        Offered(
            policy: Policy(own: .init(takeover: .none)),
            text: "permessage-deflate; client_no_context_takeover; client_max_window_bits"),
        Offered(
            policy: Policy(peer: .init(windowBits: 10, takeover: .none)),
            text: "permessage-deflate; server_no_context_takeover; server_max_window_bits=10; "
                + "client_max_window_bits"),
    ])
    func `offers what it asks of the server`(_ test: Offered) {
        #expect(test.policy.offer.named.text == test.text)
    }

    struct Answered: CustomTestStringConvertible, Sendable {
        var policy = Policy.server
        let offers: String
        let answer: String?
        var testDescription: String { offers }
    }

    static let name = "permessage-deflate"
    static let answers: [Answered] = [
        Answered(offers: "", answer: nil),
        Answered(offers: "x-other", answer: nil),
        Answered(offers: name, answer: name),
        Answered(
            offers: name + "; client_max_window_bits",
            answer: name + "; client_max_window_bits=12"),
        Answered(
            offers: name + "; client_max_window_bits=9", answer: name + "; client_max_window_bits=9"
        ),
        Answered(
            policy: .client, offers: name + "; client_max_window_bits", answer: name),
        Answered(
            offers: name + "; server_max_window_bits=15",
            answer: name + "; server_max_window_bits=12"),
        Answered(
            offers: name + "; server_max_window_bits=8", answer: name + "; server_max_window_bits=8"
        ),
        Answered(
            offers: name + "; client_no_context_takeover; server_no_context_takeover",
            answer: name + "; server_no_context_takeover; client_no_context_takeover"),
        Answered(
            policy: Policy(own: .init(takeover: .none), peer: .init(takeover: .none)),
            offers: name,
            answer: name + "; server_no_context_takeover; client_no_context_takeover"),
        Answered(offers: name + "; server_max_window_bits=7", answer: nil),
        Answered(offers: name + "; server_max_window_bits", answer: nil),
        Answered(offers: name + "; x=1", answer: nil),
        Answered(
            offers: name + "; x=1, " + name + "; server_no_context_takeover, " + name,
            answer: name + "; server_no_context_takeover"),
    ]

    @Test(arguments: answers)
    func `answers the first offer that is without fault`(_ test: Answered) throws {
        let offers = try `The answer to an offer of permessage-deflate`.read(test.offers)
        #expect(test.policy.answer(to: offers)?.answer.named.text == test.answer)
    }

    @Test(arguments: answers)
    func `agrees as the client does that reads its answer`(_ test: Answered) throws {
        let offers = try `The answer to an offer of permessage-deflate`.read(test.offers)
        guard let (answer, agreement) = test.policy.answer(to: offers) else { return }
        let clients = offers.lazy.compactMap { try? PermessageDeflate.Parameters($0) }.first
        let read = try #require(try clients?.agreement(answeredBy: [answer.named]))
        #expect(read.client == agreement.client)
        #expect(read.server.takeover == agreement.server.takeover)
        // A server may use less than the answer allows.
        #expect(agreement.server.windowBits <= read.server.windowBits)
    }
}
