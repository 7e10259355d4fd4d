// A chat that comes back by itself: prints what happens until its server says no.

import Belay

let chat = WebSocketConnection(
    url: try ConnectionURL("ws://127.0.0.1:8765/ws"),
    heartbeat: .every(.seconds(25), timeout: .seconds(10)))

for await event in chat.events {
    switch event {
    case .opened(let generation, _): print("open", generation)
    case .message(let message, _): print("message of", message.byteCount, "bytes")
    case .closed(let end): print("closed", end.generation, end.cause.name)
    }
}
