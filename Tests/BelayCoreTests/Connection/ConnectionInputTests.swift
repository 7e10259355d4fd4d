import BelayCore
import Testing

@Suite struct `The inputs of a connection` {
    private static let id = Generation(4)
    private static let ofTransports: [ConnectionInput] = [
        .progressed(id), .snapshotEnded(id), .opened(id), .received(id), .partlyReceived(id),
        .sent(id),
        .pingHandedOver(id, ping: 1),
        .pong(id, ping: 1), .unsolicitedPong(id), .reconnectionTime(id, 9), .readingPaused(id),
        .readingResumed(id), .ended(id, .reset), .deadlineReached(id),
    ]
    private static let ofTheRest: [ConnectionInput] = [
        .connect, .replace, .stop, .background, .foreground, .pathHint(.available),
    ]

    // W1, W2
    @Test(arguments: ofTransports)
    func `carry the generation that was captured`(_ input: ConnectionInput) {
        #expect(input.generation == Self.id)
    }

    @Test(arguments: ofTheRest)
    func `carry none where they are about the present one`(_ input: ConnectionInput) {
        #expect(input.generation == nil)
    }

    // W22
    @Test func `are told apart in evidence by one word`() {
        let words = (Self.ofTransports + Self.ofTheRest).map { "\($0.name)" }
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { word in word.allSatisfy(\.isLetter) })
    }
}
