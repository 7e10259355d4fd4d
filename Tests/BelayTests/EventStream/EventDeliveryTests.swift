import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `A delivery` {
    enum Settling: CaseIterable {
        case commit, skip

        func settle(_ delivery: EventDelivery) async throws(BelayError) {
            switch self {
            case .commit: try await delivery.commit()
            case .skip: try await delivery.skip()
            }
        }
    }

    /// What ends a delivery before it is settled once more.
    enum Ending: CaseIterable {
        case committed, skipped, failed
    }

    private static let two = "id: 1\ndata: a\n\nid: 2\ndata: b\n\n"

    /// An actor on the loop's thread that keeps what it is given.
    private actor Keeper {
        private let loop: ManualLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var kept: EventDelivery?

        init(_ loop: ManualLoop) {
            self.loop = loop
        }

        /// Reads as long as `settles` says that there is to be another.
        func read(
            _ source: EventSource, settling: (EventDelivery) async throws -> Bool
        ) async -> BelayError? {
            do {
                for try await delivery in source.deliveries {
                    if kept == nil { kept = delivery }
                    guard try await settling(delivery) else { break }
                }
                return nil
            } catch {
                return error as? BelayError
            }
        }

        func settleKept(by settling: Settling) async -> BelayError.Code? {
            do throws(BelayError) {
                if let kept { try await settling.settle(kept) }
                return nil
            } catch {
                return error.code
            }
        }
    }

    // E6
    @Test(arguments: Ending.allCases, Settling.allCases)
    func `is settled once`(_ ending: Ending, _ settling: Settling) throws {
        let feed = try Feed()
        let codes = Mutex<[BelayError.Code]>([])
        _ = feed.deliver { delivery in
            guard delivery.attempt == 1, delivery.event.data == "a" else {
                return try await delivery.commit()
            }
            switch ending {
            case .committed: try await delivery.commit()
            case .skipped: try await delivery.skip()
            case .failed: delivery.fail(Feed.Refused())
            }
            let before = feed.source.ledger.cursor
            do throws(BelayError) {
                try await settling.settle(delivery)
            } catch {
                codes.withLock { $0.append(error.code) }
            }
            #expect(feed.source.ledger.cursor == before)
        }
        feed.open()
        feed.receive(Self.two)
        feed.loop.advance(by: 5_000)
        #expect(codes.withLock { $0 } == [.deliveryOver])
        #expect(feed.source.ledger.cursor == EventID("2"))
        #expect(feed.events == (ending == .failed ? ["a", "a", "b"] : ["a", "b"]))
    }

    // E6
    @Test(arguments: [false, true], Settling.allCases)
    func `is over once its loop went on, also where its event came again`(
        comesAgain: Bool, _ settling: Settling
    ) async throws {
        let feed = try Feed()
        let keeper = Keeper(feed.loop)
        let reading = Task(executorPreference: feed.loop) {
            await keeper.read(feed.source) { delivery in
                // The one in hand now stays there; the one that is kept is older.
                if comesAgain == (delivery.attempt == 2), comesAgain || delivery.event.data == "b" {
                    let code = await keeper.settleKept(by: settling)
                    #expect(code == .deliveryOver)
                    return false
                }
                if !comesAgain { try await delivery.commit() }
                return true
            }
        }
        feed.loop.run()
        feed.open()
        feed.receive(Self.two)
        feed.loop.advance(by: 5_000)
        #expect(await reading.value == nil)
        #expect(feed.source.ledger.cursor == (comesAgain ? nil : EventID("1")))
    }

    // E6, E15
    @Test(arguments: Settling.allCases)
    func `is over once its loop was left, and holds no connection`(
        _ settling: Settling
    ) async throws {
        let feed = try Feed()
        let keeper = Keeper(feed.loop)
        let reading = Task(executorPreference: feed.loop) {
            await keeper.read(feed.source) { _ in false }
        }
        feed.loop.run()
        feed.open()
        feed.receive(Self.two)
        #expect(await reading.value == nil)
        feed.loop.run()
        #expect(feed.channels[0].isAborted)
        let code = Task(executorPreference: feed.loop) { await keeper.settleKept(by: settling) }
        feed.loop.run()
        #expect(await code.value == .deliveryOver)
        #expect(feed.source.ledger.cursor == nil)
        let isFree = try feed.source.ledger.acquire()
        #expect(isFree)
    }

    // E6, E14
    @Test func `is stored again after a wait, and not handed over again`() throws {
        let feed = try Feed(ledger: FailingLedger(at: .commit, times: 1))
        _ = feed.deliver { try await $0.commit() }
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        #expect(feed.source.ledger.cursor == nil)
        feed.loop.advance(by: 5_000)
        #expect(feed.events == ["a"])
        #expect(feed.source.ledger.cursor == EventID("1"))
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1), .committed])
    }

    // E14, E16
    @Test(arguments: Settling.allCases)
    func `says that the ledger failed where it never stores, and ends the stream`(
        _ settling: Settling
    ) async throws {
        let feed = try Feed(ledger: FailingLedger(at: .commit))
        let reading = feed.deliver { try await settling.settle($0) }
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.loop.advance(by: 5_000)
        let error = await reading.value
        #expect(error?.code == .ledgerFailed)
        #expect(error?.underlying == "Full()")
        #expect(feed.channels[0].isAborted)
        #expect(feed.source.ledger.cursor == nil)
    }

    // E15
    @Test func `says that the stream was closed while storing it was waited for`() async throws {
        let feed = try Feed(ledger: FailingLedger(at: .commit, policy: ResumePolicy()))
        let reading = feed.deliver { try await $0.commit() }
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.source.close()
        feed.loop.run()
        #expect(await reading.value?.code == .closed(.closedLocally))
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.loop.armedTimers == 0)
    }

    // E15
    @Test func `is cancelled while storing it is waited for`() async throws {
        let feed = try Feed(ledger: FailingLedger(at: .commit, policy: ResumePolicy()))
        let reading = feed.deliver { try await $0.commit() }
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        reading.cancel()
        feed.loop.run()
        #expect(await reading.value?.code == .cancelled)
        #expect(feed.loop.armedTimers == 0)
    }

    @Test func `lets nobody ask for the next one while storing it is waited for`() async throws {
        let feed = try Feed(ledger: FailingLedger(at: .commit, policy: ResumePolicy()))
        let keeper = Keeper(feed.loop)
        let storing = Mutex<Task<BelayError.Code?, Never>?>(nil)
        let reading = Task(executorPreference: feed.loop) {
            await keeper.read(feed.source) { _ in
                storing.withLock {
                    $0 = Task(executorPreference: feed.loop) {
                        await keeper.settleKept(by: .commit)
                    }
                }
                await Task.yield()
                return true
            }
        }
        feed.loop.run()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        #expect(await reading.value?.code == .alreadyReading)
        feed.loop.advance(by: 5_000)
        #expect(await storing.withLock { $0 }?.value == .deliveryOver)
        #expect(feed.source.ledger.cursor == nil)
    }
}
