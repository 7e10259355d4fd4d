#if BELAY_APPLE_STUBS
    import BelayCore
    import BelayTesting
    import BelayTransport
    import Foundation
    import FoundationNetworking
    import Synchronization
    import Testing

    @testable import BelayURLSession

    /// On Apple's systems a pause goes to the task itself. On Linux only this build does so.
    @Suite(.timeLimit(.minutes(5))) struct `An event stream's data task` {
        // E12
        @Test func `is suspended behind its owner's pause, and resumed when that is over`()
            async throws
        {
            let server = try FloodingServer()
            let bench = Bench(try ConnectionURL("http://127.0.0.1:\(server.port)/"))
            // The owner pauses from within the first report, and the flood goes on behind it.
            let first = try await bench.nextOrder()
            #expect(first == Bench.Order(.paused, before: .running, after: .suspended))
            bench.flow()
            let second = try await bench.nextOrder()
            #expect(second == Bench.Order(.flowing, before: .suspended, after: .running))
            bench.abort()
            server.end()
        }

        /// One channel over the system's own task, whose owner pauses at once, and the orders that
        /// the task gets, with its state before and after each.
        private final class Bench: Sendable {
            struct Order: Equatable {
                let reading: Reading
                let before: URLSessionTask.State
                let after: URLSessionTask.State

                init(
                    _ reading: Reading, before: URLSessionTask.State, after: URLSessionTask.State
                ) {
                    (self.reading, self.before, self.after) = (reading, before, after)
                }
            }

            private let domain = DispatchDomain(label: "event stream")
            private let held = Mutex<URLSessionEventStreamChannel?>(nil)
            private let orders: AsyncStream<Order>
            private let sink: AsyncStream<Order>.Continuation

            init(_ url: ConnectionURL) {
                (orders, sink) = AsyncStream.makeStream()
                domain.submit { [self] in open(EventStreamRequest(url: url)) }
            }

            private func open(_ request: EventStreamRequest) {
                let make: MakeEventStreamTask = {
                    [sink] (request, report) throws(SessionFailure) in
                    WatchedTask(try SystemEventStreamTask(request, report), sink)
                }
                let channel = URLSessionEventStreamChannel(
                    request, in: domain, make: make,
                    sink: TransportSink(generation: Generation(1)) { [self] _, event in
                        guard case .opened = event else { return }
                        held.withLock { $0 }?.setReading(.paused)
                    })
                held.withLock { $0 = channel }
                channel.begin()
            }

            func nextOrder() async throws -> Order {
                for await order in orders { return order }
                throw CancellationError()
            }

            func flow() {
                domain.submit { [self] in held.withLock { $0 }?.setReading(.flowing) }
            }

            func abort() {
                domain.submit { [self] in
                    held.withLock { $0 }?.abort()
                    held.withLock { $0 = nil }
                }
            }

            private final class WatchedTask: EventStreamTask {
                private let real: SystemEventStreamTask
                private let orders: AsyncStream<Order>.Continuation

                init(_ real: SystemEventStreamTask, _ orders: AsyncStream<Order>.Continuation) {
                    (self.real, self.orders) = (real, orders)
                }

                func resume() { real.resume() }
                func invalidate() { real.invalidate() }

                func setReading(_ reading: Reading) {
                    let before = real.task.state
                    real.setReading(reading)
                    orders.yield(Order(reading, before: before, after: real.task.state))
                }
            }
        }

        /// Answers one request with an event stream of more than may wait for an owner, and stays.
        private final class FloodingServer: Sendable {
            let port: UInt16
            private let listener: Int32

            init() throws {
                listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let listener = listener
                let isOpen = withUnsafeMutablePointer(to: &address) { address in
                    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(listener, $0, size) == 0 && listen(listener, 4) == 0
                            && getsockname(listener, $0, &size) == 0
                    }
                }
                try #require(isOpen)
                port = UInt16(bigEndian: address.sin_port)
                // Ends with its write, or where `end` has closed the listener.
                Thread.detachNewThread {
                    let connection = accept(listener, nil, nil)
                    guard connection >= 0 else { return }
                    let quietly = Int32(MSG_NOSIGNAL)
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                    let body = String(repeating: ": and more\n", count: 100_000)
                    for text in [head, body] {
                        var bytes = Array(text.utf8)[...]
                        while !bytes.isEmpty {
                            let count = bytes.withUnsafeBytes {
                                send(connection, $0.baseAddress, $0.count, quietly)
                            }
                            guard count > 0 else { break }
                            bytes = bytes.dropFirst(count)
                        }
                    }
                }
            }

            func end() {
                shutdown(listener, Int32(SHUT_RDWR))
                close(listener)
            }
        }
    }
#endif
