// A feed as a loop: the cursor moves when a delivery is committed or skipped, and not before.

import Belay

let feed = EventSource(url: try ConnectionURL("http://127.0.0.1:8765/events"))
for try await delivery in feed.deliveries {
    if delivery.event.data.isEmpty {
        try await delivery.skip()  // no effect, and it does not come again
    } else {
        print(delivery.event.lastEventID, delivery.event.data)
        try await delivery.commit()
    }
}
