import Belay
import BelayCore
import Foundation

/// One client of a harness: Belay's own, as an app uses it, and what it has to tell.
actor ContractStream {
    private let source: EventSource
    private let callback: URL
    private let poster: ContractPoster
    private let outbox: ContractOutbox
    /// What the harness listens to, besides messages.
    private var types: Set<String> = ["message"]

    init(
        _ order: ContractOrder, over transport: any EventStreamTransport, poster: ContractPoster
    ) throws(ContractRefusal) {
        let outbox = ContractOutbox()
        self.outbox = outbox
        self.poster = poster
        callback = try order.callback()
        source = EventSource(
            try order.request(),
            ledger: MemoryLedger(lastEventID: order.lastEventId),
            configuration: try order.configuration(),
            transport: transport,
            evidence: { record in
                if case .event(let event) = record, event.result == .committed { outbox.release() }
            },
            asides: { aside in
                if let message = ContractMessage(aside) { await outbox.add(message) }
            })
    }

    /// Connects and tells, until the stream ends for good or the task is cancelled.
    func run() async {
        await withTaskCancellationHandler {
            async let posted: Void = post()
            await process()
            outbox.close()
            await posted
        } onCancel: {
            outbox.drop()
        }
    }

    /// Carries out a command.
    func obey(_ command: ContractCommand) throws(ContractRefusal) {
        switch command.command {
        case "listen":
            guard let listening = command.listen else { throw .missing("listen") }
            types.insert(listening.type)
        case "restart": source.reconnect()
        default: throw .unknownCommand(command.command)
        }
    }

    private func process() async {
        do throws(BelayError) {
            try await source.process { event in
                guard types.contains(event.type) else { return }
                await outbox.hold(ContractMessage(event))
            }
        } catch {
            // An end that no retry mends was told as an aside, with its cause.
        }
    }

    /// Posts one message after the other. A harness that takes none has gone, and its stream ends.
    private func post() async {
        var number = 0
        while let message = await outbox.next() {
            number += 1
            guard await poster.post(message, number: number, to: callback) else {
                outbox.drop()
                return source.close()
            }
        }
    }
}
