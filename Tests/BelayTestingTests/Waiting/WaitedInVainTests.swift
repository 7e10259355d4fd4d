import BelayTesting
import BelayTransport
import Testing

@Suite struct `A wait in vain` {
    @Test func `ends at its limit, and says where it stood`() async throws {
        let line = #line + 1  // What stands in a macro is on the line of the macro.
        let failure = await #expect(throws: WaitedInVain.self) {
            try await Answer<Bool>().wait(within: .milliseconds(5))
        }
        let words = try #require(failure?.description)
        #expect(words.hasPrefix("BelayTestingTests/WaitedInVainTests.swift:\(line): "))
    }

    @Test func `ends with its task`() async {
        let task = Task { try await Answer<Bool>().wait(within: .seconds(3_600)) }
        task.cancel()
        await #expect(throws: WaitedInVain.self) { try await task.value }
    }

    @Test func `is none where the answer came`() async throws {
        let answer = Answer<Bool>()
        let task = Task { try await answer.wait(within: .seconds(3_600)) }
        answer.give(true)
        try await task.value
        // Also one that came before.
        try await answer.wait(within: .seconds(3_600))
    }
}
