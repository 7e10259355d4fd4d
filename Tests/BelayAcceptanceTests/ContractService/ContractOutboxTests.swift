import Testing

@testable import BelayAcceptance

@Suite(.timeLimit(.minutes(5))) struct `A contract's outbox` {
    private let outbox = ContractOutbox()

    /// What goes out until it is closed.
    private func all() async -> [ContractMessage] {
        outbox.close()
        var messages: [ContractMessage] = []
        while let message = await outbox.next() { messages.append(message) }
        return messages
    }

    @Test func `tells what it was given, in order`() async {
        await outbox.add(.comment("a"))
        await outbox.add(.error("b"))
        #expect(await all() == [.comment("a"), .error("b")])
    }

    @Test func `tells an event once it is committed, and not before`() async {
        await outbox.hold(.comment("held"))
        await outbox.add(.comment("other"))
        #expect(await outbox.next() == .comment("other"))
        outbox.release()
        outbox.release()
        #expect(await all() == [.comment("held")])
    }

    @Test func `does not tell an event that was not committed`() async {
        await outbox.hold(.comment("again"))
        await outbox.hold(.comment("again"))
        outbox.release()
        #expect(await all() == [.comment("again")])
    }

    @Test func `lets a writer wait for room`() async {
        async let written: Void = write(ContractOutbox.limit + 1)
        var count = 0
        while count <= ContractOutbox.limit {
            #expect(await outbox.next() == .comment("\(count)"))
            count += 1
        }
        await written
    }

    private func write(_ count: Int) async {
        for number in 0..<count { await outbox.add(.comment("\(number)")) }
    }

    @Test func `lets nobody wait once it is dropped, and tells nothing`() async {
        async let written: Void = write(ContractOutbox.limit + 10)
        #expect(await outbox.next() == .comment("0"))
        outbox.drop()
        await written
        #expect(await outbox.next() == nil)
    }

    @Test func `ends for a reader that waits`() async {
        async let message = outbox.next()
        outbox.close()
        #expect(await message == nil)
    }
}
