import BelayTransport
import Testing

@testable import BelayURLSession

@Suite(.timeLimit(.minutes(5))) struct `A domain on a Dispatch queue` {
    /// What lives in the domain.
    private actor Resident {
        nonisolated let domain: DispatchDomain
        nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
        private var timer: (any DeadlineTimer)?
        private(set) var seen: [Int] = []

        init(_ domain: DispatchDomain) {
            self.domain = domain
        }

        func note(_ number: Int) {
            seen.append(number)
        }

        /// Arms a timer for each deadline in turn, and answers when the last one fired.
        func arm(at deadlines: [Int64?], _ answer: Answer<Int64>) {
            let timer = domain.makeTimer { [domain] in answer.give(domain.now) }
            for deadline in deadlines { timer.arm(at: deadline) }
            self.timer = timer
        }

        func letGo() {
            timer = nil
        }
    }

    private let domain = DispatchDomain(label: "test")

    @Test func `runs what was submitted in order, where its actors live`() async {
        let resident = Resident(domain)
        for number in 1...100 {
            domain.submit { resident.assumeIsolated { $0.note(number) } }
        }
        await domain.call {}
        #expect(await resident.seen == Array(1...100))
    }

    @Test func `tells whether a caller is in it`() async {
        #expect(domain.isIsolatingCurrentContext() == false)
        let inside = await domain.call { [domain] in domain.isIsolatingCurrentContext() }
        #expect(inside == true)
    }

    @Test func `fires a timer when its clock shows the deadline, never before`() async {
        let resident = Resident(domain)
        for length: Int64 in [0, 1, 7] {
            let answer = Answer<Int64>()
            let deadline = domain.now + length
            await resident.arm(at: [deadline], answer)
            #expect(await answer.value() >= deadline)
        }
    }

    @Test func `follows a timer's newest deadline`() async {
        let resident = Resident(domain)
        let answer = Answer<Int64>()
        await resident.arm(at: [domain.now + 1, nil, .max, domain.now + 3], answer)
        #expect(await answer.value() > 0)
    }

    @Test func `lets a timer go that was never armed, or that never fires`() async {
        let resident = Resident(domain)
        let answer = Answer<Int64>()
        await resident.arm(at: [], answer)
        await resident.arm(at: [.max], answer)
        await resident.letGo()
        await domain.call {}
        #expect(!answer.isGiven)
    }
}
