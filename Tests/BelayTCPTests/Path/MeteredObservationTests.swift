#if os(Linux)
    import BelayCore
    import BelayTransport
    import Testing

    @testable import BelayTCP

    /// Over a real bus, to a NetworkManager that says what a test wants.
    @Suite(
        .tags(.realTime), .timeLimit(.minutes(1)),
        .enabled(if: PrivateBus.absence == nil, Comment(rawValue: PrivateBus.absence ?? "")))
    struct `What NetworkManager says of metering on a bus` {
        /// What was reported, and whether the bus is left.
        private final class Watch {
            private let traits = Promise<PathTrait>()
            private let states = Promise<MeteredMachine.State>()
            private let loop: EventLoop
            private let observation: MeteredObservation

            init(_ address: String, on loop: EventLoop) {
                self.loop = loop
                observation = MeteredObservation(on: loop, at: address) { [traits] in
                    traits.put($0)
                }
                observation.handled = { [states] in states.put($0) }
                look()
            }

            func look() { observation.pathLooked() }
            func cancel() { observation.cancel() }

            /// Waits until all that was reported is this, or cannot become it.
            func reports(_ all: PathTrait...) async throws {
                try await traits.wait { [traits] in
                    traits.values.count >= all.count || !all.starts(with: traits.values)
                }
                #expect(traits.values == all)
            }

            /// Waits until it has come to a state like this.
            func comes(to isMeant: @escaping (MeteredMachine.State) -> Bool) async throws {
                try await states.wait { [states] in states.values.contains(where: isMeant) }
            }

            var isConnected: Bool { loop.registeredCount > 0 }
        }

        private static func onBus(
            _ kind: PollerKind = .standard,
            _ body: @Sendable (PrivateBus, isolated LoopBench) async throws -> Void
        ) async throws {
            try await onLoop(kind) { bench in
                let bus = try await PrivateBus()
                try await body(bus, bench)
            }
        }

        @Test(
            arguments: [
                ("1", .yes), ("2", .no), ("3", .yes), ("4", .no),
                // Nothing is reported: the end of the test is the first report.
                ("0", .unknown), ("5", .unknown), ("4294967295", .unknown), ("yes", .unknown),
                ("silent", .unknown), ("refusing", .unknown),
            ] as [(String, PathTrait)], PollerKind.allCases)
        func `is yes, no or unknown, and unknown where it is no word`(
            _ word: (said: String, trait: PathTrait), _ kind: PollerKind
        ) async throws {
            try await Self.onBus(kind) { bus, bench in
                try await bus.start()
                try await bus.managerComes(saying: word.said)
                let watch = Watch(bus.address, on: bench.loop)
                guard word.trait == .unknown else { return try await watch.reports(word.trait) }
                // The bus has the question before the call, so it is answered, if at all, before.
                try await watch.comes {
                    switch $0 {
                    case .asked, .told: true
                    case .closed, .waiting, .opening, .unowned, .ended: false
                    }
                }
                try await bus.manager(does: "Say uint32:1")
                try await watch.reports(.yes)
            }
        }

        @Test func `is followed through each change, whatever else changes`() async throws {
            try await Self.onBus { bus, bench in
                try await bus.start()
                try await bus.managerComes(saying: "2")
                let watch = Watch(bus.address, on: bench.loop)
                try await watch.reports(.no)
                for call in [
                    "SayOther", "Say uint32:1", "Say uint32:3", "SayText string:no", "Say uint32:4",
                    "Withdraw uint32:1",
                ] {
                    try await bus.manager(does: call)
                }
                try await watch.reports(.no, .yes, .unknown, .no, .unknown, .yes)
            }
        }

        @Test func `is worth nothing once its NetworkManager has left`() async throws {
            try await Self.onBus { bus, bench in
                try await bus.start()
                try await bus.managerComes(saying: "1")
                let watch = Watch(bus.address, on: bench.loop)
                try await watch.reports(.yes)
                try await bus.managerLeaves()
                try await watch.reports(.yes, .unknown)
                try await bus.managerComes(saying: "2")
                try await watch.reports(.yes, .unknown, .no)
                #expect(watch.isConnected)
            }
        }

        @Test func `is heard of one that comes later`() async throws {
            try await Self.onBus { bus, bench in
                try await bus.start()
                let watch = Watch(bus.address, on: bench.loop)
                try await watch.comes { $0 == .unowned }
                try await bus.managerComes(saying: "1")
                try await watch.reports(.yes)
            }
        }

        @Test func `is not taken from a stranger, however often it speaks`() async throws {
            try await Self.onBus { bus, bench in
                try await bus.start()
                try await bus.managerComes(saying: "1")
                let watch = Watch(bus.address, on: bench.loop)
                try await watch.reports(.yes)
                try await bus.stranger(claims: 2)
                try await bus.manager(does: "Say uint32:0")
                try await watch.reports(.yes, .unknown)
                try await bus.manager(does: "Say uint32:2")
                try await watch.reports(.yes, .unknown, .no)
            }
        }

        @Test func `is unknown without a bus, until there is one at a look`() async throws {
            try await Self.onBus { bus, bench in
                let watch = Watch(bus.address, on: bench.loop)
                #expect(!watch.isConnected)
                try await bus.start()
                try await bus.managerComes(saying: "1")
                watch.look()
                try await watch.reports(.yes)
                try await bus.stop()
                try await watch.reports(.yes, .unknown)
                #expect(!watch.isConnected)
                watch.look()
                #expect(!watch.isConnected)
                try await bus.start()
                try await bus.managerComes(saying: "2")
                watch.look()
                try await watch.reports(.yes, .unknown, .no)
            }
        }

        @Test(arguments: [
            #"<deny user="*"/>"#,
            #"<deny send_interface="org.freedesktop.DBus" send_member="AddMatch"/>"#,
            #"<deny send_interface="org.freedesktop.DBus" send_member="GetNameOwner"/>"#,
        ])
        func `is unknown where the bus refuses, and the bus is left`(_ rule: String) async throws {
            try await Self.onBus { bus, bench in
                try await bus.start(rules: rule)
                let watch = Watch(bus.address, on: bench.loop)
                #expect(watch.isConnected)
                // It is tried again, and not at once.
                try await watch.comes { if case .waiting = $0 { true } else { false } }
                #expect(!watch.isConnected)
                try await watch.reports()
            }
        }

        @Test func `holds up no path where the bus takes a caller and never answers`() async throws
        {
            try await Self.onBus { bus, bench in
                try await bus.startDeaf()
                let (updates, feed) = AsyncStream<PathUpdate>.makeStream()
                let observation = RoutePathObservation(
                    on: bench.loop, towards: .anywhere, bus: bus.address,
                    sink: PathSink(generation: Generation(1)) { feed.yield($1) })
                let first = try #require(await updates.first { _ in true })
                #expect(first.state != .unknown && first.expensive == .unknown)
                try await bus.waits(for: "taken")
                #expect(!bus.hasSaid("left"))
                // It is not asked for ever either.
                try await bus.waits(for: "left")
                observation.cancel()
            }
        }

        @Test func `ends with its observation`() async throws {
            try await Self.onBus { bus, bench in
                try await bus.start()
                try await bus.managerComes(saying: "1")
                let watch = Watch(bus.address, on: bench.loop)
                try await watch.reports(.yes)
                watch.cancel()
                #expect(!watch.isConnected)
                watch.look()
                #expect(!watch.isConnected)
                try await watch.reports(.yes)
            }
        }
    }
#endif
