// Watches the path where it is started, and says each report and the end of each look in a line,
// until it is killed. A thread cannot change its user namespace; a process can be started in one.
import BelayCore
import BelayTCP
import BelayTransport

#if os(Linux)
    import Foundation

    actor Probe {
        private let loop = EventLoop.shared
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }
        private var observation: RoutePathObservation?
        private var state = PathState.unknown

        func watch(towards destinations: PathDestinations) {
            let sink = PathSink(generation: Generation(1)) { [self] _, update in
                assumeIsolated { $0.take(update) }
            }
            let observation = RoutePathObservation(
                on: EventLoop.shared, towards: destinations, sink: sink)
            observation.looked = { [weak self] count in
                self?.assumeIsolated { $0.sayLook(count) }
            }
            self.observation = observation
            say("watching \(observation.noticePort ?? 0)")
        }

        private func take(_ update: PathUpdate) {
            state = update.state
            let reason = update.reason.map { "\($0)" } ?? "-"
            say("path \(update.state) \(update.change) \(reason) \(update.expensive)")
        }

        private func sayLook(_ count: UInt64) {
            say("look \(count) \(state) \(observation?.overruns ?? 0)")
        }

        private func say(_ line: String) {
            let bytes = Array("\(line)\n".utf8)
            _ = write(STDOUT_FILENO, bytes, bytes.count)
        }
    }

    let arguments = CommandLine.arguments.dropFirst()
    let destinations = arguments.first.map { PathDestinations(numeric: $0) } ?? .anywhere
    guard let destinations else { exit(2) }
    let probe = Probe()
    await probe.watch(towards: destinations)
    while true { pause() }
#endif
