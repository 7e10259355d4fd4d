// Goes through every case that an Autobahn fuzzing server offers, as an app would: one connection
// a case, every message sent back as it came, until the server closes.
//
// Usage: InteropClient ws://127.0.0.1:PORT AGENT
import Belay

guard CommandLine.arguments.count == 3 else { fatalError("usage: InteropClient URL AGENT") }
let server = CommandLine.arguments[1]
let agent = CommandLine.arguments[2]

/// A connection to one of the server's resources, which sends nothing of its own.
func connection(_ target: String) throws -> WebSocketConnection {
    WebSocketConnection(url: try ConnectionURL("\(server)\(target)"), heartbeat: .off)
}

/// The first message of a resource, nil where it closes without one.
func answer(of target: String) async throws -> String? {
    for await event in try connection(target).events {
        switch event {
        case .message(.text(let text), _): return text
        case .closed: return nil
        case .opened, .message: continue
        }
    }
    return nil
}

/// Sends every message back until the connection ends.
func echo(_ target: String) async throws {
    let connection = try connection(target)
    for await event in connection.events {
        switch event {
        case .opened: continue
        case .closed: return
        case .message(let message, _):
            // The connection may have ended behind the message; `closed` follows then.
            do throws(BelayError) { try await connection.send(message) } catch { continue }
        }
    }
}

guard let count = try await answer(of: "/getCaseCount").flatMap({ Int($0) }) else {
    fatalError("the server at \(server) tells no number of cases")
}
for number in 0..<count {
    try await echo("/runCase?case=\(number + 1)&agent=\(agent)")
}
// A case has its result when the server has ended TCP, which may be later than the next connection
// comes: told for the last one, they are all there for the reports.
_ = try await answer(of: "/getCaseStatus?case=\(count)&agent=\(agent)")
_ = try await answer(of: "/updateReports?agent=\(agent)")
