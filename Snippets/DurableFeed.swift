// A feed whose effects, ids and cursor are one transaction: a crash loses none and repeats none.

import Belay
import BelaySQLite

let ledger = try SQLiteLedger(path: "orders.sqlite", stream: "orders")
try ledger.transaction { transaction in
    try transaction.run("CREATE TABLE IF NOT EXISTS orders (id TEXT, state TEXT)")
}
let feed = EventSource(url: try ConnectionURL("http://127.0.0.1:8765/events"), ledger: ledger)
try await feed.process { event, transaction in
    try transaction.run("INSERT INTO orders VALUES (?, ?)", event.id, event.data)
}
