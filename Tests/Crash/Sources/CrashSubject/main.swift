// Works off an event stream with one effect an event, until it is killed.
//
// Usage: CrashSubject URL FILE pause N    stops behind the effect of its Nth event, uncommitted
//        CrashSubject URL FILE until ID   ends when the cursor stands at this id
//
// With `file` behind them the ledger is a `FileLedger`, and the effects are lines in a file beside
// it. With `careless` the effects stand in transactions of their own, and are repeated; with both
// it commits before the effect, which is lost.
// It says `ready` when its ledger is open, and `effect` where it pauses.
import Belay
import BelayFile
import BelaySQLite
import Foundation

guard CommandLine.arguments.count >= 5, let number = Int(CommandLine.arguments[4]) else {
    fatalError("usage: CrashSubject URL FILE pause|until N [careless] [file]")
}
let isFile = CommandLine.arguments[5...].contains("file")
let isCareless = CommandLine.arguments[5...].contains("careless")
let pauses = CommandLine.arguments[3] == "pause"
let last = pauses ? nil : EventID(CommandLine.arguments[4])

func say(_ word: String) {
    FileHandle.standardOutput.write(Data("\(word)\n".utf8))
}

@MainActor func openLedger() throws -> any EventLedger {
    if isFile { return try FileLedger(path: CommandLine.arguments[2]) }
    let ledger = try SQLiteLedger(path: CommandLine.arguments[2], stream: "crash")
    try ledger.transaction { transaction in
        // Without a unique index: a second effect is to show.
        try transaction.run("CREATE TABLE IF NOT EXISTS effect (id INTEGER NOT NULL)")
        try transaction.run("CREATE INDEX IF NOT EXISTS effect_id ON effect (id)")
    }
    return ledger
}
let ledger = try openLedger()
say("ready")

var configuration = ConnectionConfiguration()
configuration.shortestWait = .milliseconds(1)
configuration.firstWait = .milliseconds(2)
configuration.longestWait = .milliseconds(50)
// Nobody kills it any more when the endpoint is gone.
configuration.attemptLimit = 1_000
let source = EventSource(
    url: try ConnectionURL(CommandLine.arguments[1]), ledger: ledger,
    configuration: configuration,
    evidence: { record in
        guard let last, case .event(let event) = record, event.cursor == last else { return }
        _exit(0)  // Without the rest of the program's life, as in a crash.
    })
var handled = 0

@MainActor func handle(
    _ event: ServerSentEvent, _ transaction: borrowing SQLiteTransaction
) throws {
    try transaction.run("INSERT INTO effect (id) VALUES (?)", event.id.flatMap { Int64($0) })
    handled += 1
}

@MainActor func pauseIfAsked() {
    guard pauses, handled == number else { return }
    say("effect")
    while true { pause() }
}

if isFile {
    let effects = open("\(CommandLine.arguments[2]).effects", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    for try await delivery in source.deliveries {
        handled += 1
        if isCareless {
            try await delivery.commit()
            pauseIfAsked()
        }
        // One call: a kill leaves the whole line, or none.
        let line = Array("\(delivery.event.id ?? "")\n".utf8)
        guard write(effects, line, line.count) == line.count else { fatalError("no effect") }
        if !isCareless {
            pauseIfAsked()
            try await delivery.commit()
        }
    }
} else if isCareless, let ledger = ledger as? SQLiteLedger {
    try await source.process { event in
        try ledger.transaction { transaction in try handle(event, transaction) }
        pauseIfAsked()
    }
} else {
    try await source.process { event, transaction in
        try handle(event, transaction)
        pauseIfAsked()
    }
}
