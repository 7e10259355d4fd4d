// A feed that loses nothing and applies nothing twice.

import Belay

let feed = EventSource(url: try ConnectionURL("http://127.0.0.1:8765/events"))
try await feed.process { event in
    print(event.lastEventID, event.data)  // the cursor moves when this returned
}
