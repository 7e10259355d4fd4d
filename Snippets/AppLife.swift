// An app that goes to the background and comes back, and work that waits for a cheaper path.

import Belay

let chat = WebSocketConnection(url: try ConnectionURL("ws://127.0.0.1:8765/ws"))
let path = NetworkPath()
path.inform(chat)  // and every other connection
path.restart()

path.enterBackground()  // the app left the foreground
path.enterForeground()  // it is back, or the machine woke

let downloads = DeferredWorkQueue<String>(on: path) { name in print("begins", name) }
downloads.submit("preview", as: .anticipated)
for waiting in downloads.waiting { print(waiting.operation, "waits:", waiting.deferral) }
