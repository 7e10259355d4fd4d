import BelayCore
import BelayTesting
import BelayTransport
import Foundation
import Testing

@testable import BelayURLSession

@Suite(.timeLimit(.minutes(5))) struct `A channel over a WebSocket task` {
    @Test func `begins at once and reports in turns of its own`() throws {
        let bench = ChannelBench()
        _ = try bench.open()
        let task = try #require(bench.tasks.first)
        #expect(task.orders == [.resume])
        #expect(task.messageLimit == 1_000)
        task.report(.opened(subprotocol: nil))
        #expect(bench.events.isEmpty)
        bench.loop.run()
        #expect(bench.events == [.opened])
    }

    @Test func `takes reports from any queue`() async throws {
        let bench = ChannelBench()
        _ = try bench.open()
        let task = try #require(bench.tasks.first)
        await Task.detached { task.report(.opened(subprotocol: nil)) }.value
        bench.loop.run()
        #expect(bench.events == [.opened])
    }

    @Test func `sends, pings and reports what became of it`() throws {
        let bench = ChannelBench()
        let (channel, task) = try bench.opened()
        bench.drive { channel { $0.send(.text("a"), number: 1) } }
        bench.drive { channel { $0.ping(7) } }
        #expect(!task.orders.contains(.ping))  // Behind the message.
        task.answerSend(0)
        bench.loop.run()
        task.answerPing(0)
        task.answerReceive(.success(.text("b")))
        bench.loop.run()
        #expect(
            bench.events == [
                .opened, .sent(1), .pingHandedOver(7), .pong(7), .received(.text("b")),
            ])
        #expect(task.orders == [.resume, .receive, .send(.text("a")), .ping, .receive])
    }

    // A13, W19
    @Test func `reports one pong where the completion is called twice, and after the end`() throws {
        let bench = ChannelBench()
        let (channel, task) = try bench.opened()
        bench.drive { channel { $0.ping(1) } }
        task.answerPing(0)
        task.answerPing(0)
        bench.loop.run()
        bench.drive { channel { $0.ping(2) } }
        bench.drive { channel { $0.abort() } }
        task.answerPing(1)
        task.answerPing(1, .cancelled)
        bench.loop.run()
        #expect(bench.events == [.opened, .pingHandedOver(1), .pong(1), .pingHandedOver(2)])
    }

    @Test func `is not interrupted by a completion from within its own call`() throws {
        let bench = ChannelBench(isEager: true)
        let (channel, _) = try bench.opened()
        bench.loop.submit {
            channel { $0.ping(1) }
            #expect(bench.events == [.opened])
        }
        bench.loop.run()
        #expect(bench.events == [.opened, .pingHandedOver(1), .pong(1)])
    }

    @Test func `asks for no message while it is paused from within a report`() throws {
        let bench = ChannelBench()
        let channel = try bench.open()
        bench.react { _ in channel { $0.setReading(.paused) } }
        let task = try #require(bench.tasks.first)
        task.report(.opened(subprotocol: nil))
        bench.loop.run()
        #expect(task.count(of: .receive) == 0)
        for number in 1...3 {
            bench.loop.submit {
                channel { $0.setReading(.flowing) }
            }
            bench.loop.run()
            #expect(task.count(of: .receive) == number)
            task.answerReceive(.success(.text("\(number)")))
            bench.loop.run()
            #expect(bench.events.last == .received(.text("\(number)")))
            #expect(task.count(of: .receive) == number)
        }
    }

    @Test func `says nothing after it was aborted from within a report`() throws {
        let bench = ChannelBench()
        let channel = try bench.open()
        bench.react { _ in channel { $0.abort() } }
        let task = try #require(bench.tasks.first)
        task.report(.opened(subprotocol: nil))
        task.report(.completed(SessionCompletion(failure: .cancelled)))
        bench.loop.run()
        #expect(bench.events == [.opened])
        #expect(task.orders == [.resume, .invalidate])
    }

    @Test func `ends by its own clock where the task does not end`() throws {
        let bench = ChannelBench()
        let (_, task) = try bench.opened()
        task.answerReceive(.failure(.notConnected))
        bench.loop.advance(by: WebSocketTaskMachine.grace - 1)
        #expect(bench.events == [.opened])
        bench.loop.advance(by: 1)
        #expect(bench.events == [.opened, .ended(.peerVanished)])
        #expect(bench.loop.armedTimers == 0)
    }

    // A3, W1, W2
    @Test func `of a former generation cannot speak for a later one`() throws {
        let bench = ChannelBench()
        let first = try bench.open(generation: 1)
        bench.drive { first { $0.abort() } }
        _ = try bench.open(generation: 2)
        bench.tasks[1].report(.opened(subprotocol: nil))
        bench.loop.run()
        bench.tasks[0].report(.opened(subprotocol: nil))
        bench.tasks[0].report(.peerClosed(code: 1_000, reasonLength: 0))
        bench.tasks[0].report(.completed(SessionCompletion(failure: .cancelled)))
        bench.loop.run()
        #expect(bench.events == [.opened])
        #expect(bench.generations == [2])
    }

    @Test func `refuses a request that cannot be sent, in a later turn`() throws {
        let bench = ChannelBench()
        _ = try bench.open(subprotocols: ["invalid"])
        #expect(bench.events == [.ended(.requestInvalid(.subprotocol))])
    }
}

@Suite struct `The session of a channel` {
    // C11: each way in which a channel may end, before and after it opened.
    enum Ending: CaseIterable {
        case aborted, abortedTwice, completed, completedTwice, failed, letGo, peerClosed
    }

    @Test(arguments: Ending.allCases, [false, true])
    func `is invalidated once and let go`(ending: Ending, isOpen: Bool) throws {
        let bench = ChannelBench()
        let channel = try bench.open()
        weak let weakChannel = try #require(
            {
                var found: URLSessionWebSocketChannel?
                channel { found = $0 }
                return found
            }())
        let task = try #require(bench.tasks.first)
        if isOpen { task.report(.opened(subprotocol: nil)) }
        bench.loop.run()
        switch ending {
        case .aborted: bench.drive { channel { $0.abort() } }
        case .abortedTwice:
            bench.drive { channel { $0.abort() } }
            bench.drive { channel { $0.abort() } }
        case .completed: task.report(.completed(SessionCompletion()))
        case .completedTwice:
            task.report(.completed(SessionCompletion(failure: .reset)))
            task.report(.completed(SessionCompletion(failure: .cancelled)))
        case .failed:
            task.answerReceive(.failure(.reset))
            task.report(.completed(SessionCompletion(failure: .reset)))
        case .letGo: break
        case .peerClosed:
            task.report(.peerClosed(code: 1_000, reasonLength: 0))
            task.report(.completed(SessionCompletion()))
        }
        bench.loop.run()
        channel.letGo()
        bench.loop.advance(by: 10_000)
        #expect(task.count(of: .invalidate) == 1)
        #expect(weakChannel == nil)
        #expect(bench.loop.armedTimers == 0)
    }
}
