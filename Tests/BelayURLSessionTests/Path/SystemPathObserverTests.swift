#if BELAY_APPLE_STUBS
    import BelayCore
    import BelayTransport
    import Network
    import Testing

    @testable import BelayURLSession

    /// An observer over monitors that a test makes report.
    private actor World {
        struct Report: Equatable {
            let generation: Generation
            let update: PathUpdate
        }

        nonisolated let domain: DispatchDomain
        nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
        private(set) var monitors: [NWPathMonitor] = []
        private(set) var reports: [Report] = []
        private var observations: [any PathObservation] = []

        init(_ name: String) {
            domain = DispatchDomain(label: name)
        }

        func observe(_ number: UInt64) {
            let observer = SystemPathObserver(on: domain)
            let sink = PathSink(generation: Generation(number)) { [self] id, update in
                // Traps outside the domain.
                assumeIsolated { $0.reports.append(Report(generation: id, update: update)) }
            }
            monitors += NWPathMonitor.made { observations.append(observer.observe(sink)) }
        }

        func cancel(_ index: Int = 0) { observations[index].cancel() }
        func forget() { observations = [] }

        /// Lets the newest monitor report, and waits until it did.
        func report(
            _ status: NWPath.Status, because reason: NWPath.UnsatisfiedReason = .notAvailable,
            over interface: NWInterface = .wifi, through gateway: NWEndpoint = .router,
            isExpensive: Bool = false, isConstrained: Bool = false, on index: Int? = nil
        ) async {
            monitors[index ?? monitors.count - 1]
                .report(
                    status, because: reason, over: interface, through: gateway,
                    isExpensive: isExpensive, isConstrained: isConstrained)
            await withCheckedContinuation { continuation in
                domain.submit { continuation.resume() }
            }
        }

        var calls: [[NWPathMonitor.Call]] { monitors.map(\.calls) }
        var states: [PathState] { reports.map(\.update.state) }
    }

    /// One after another: the stub keeps one list of monitors.
    @Suite(.serialized) struct `An observer of Apple's path` {
        // P6, P9
        @Test func `sets its handler before it starts, and asks for no interface`() async {
            let world = World("order")
            await world.observe(1)
            #expect(await world.calls == [[.made, .handlerSet, .started]])
        }

        // P6
        @Test(arguments: [
            Case("satisfied", .satisfied, .available),
            Case("unsatisfied", .unsatisfied, .unavailable),
            Case("requires connection", .requiresConnection, .needsConnection),
            Case("one of the future", .ofTheFuture, .unknown),
        ])
        func `has the state of the status, and none of one that it does not know`(
            _ test: Case
        ) async {
            let world = World("states")
            await world.observe(1)
            await world.report(test.status())
            #expect(await world.states == [test.state])
        }

        struct Case: CustomTestStringConvertible, Sendable {
            let testDescription: String
            /// Made where it is used: no mirror can look into a status that it does not know.
            let status: @Sendable () -> NWPath.Status
            let state: PathState

            init(
                _ name: String, _ status: @autoclosure @escaping @Sendable () -> NWPath.Status,
                _ state: PathState
            ) {
                (testDescription, self.status, self.state) = (name, status, state)
            }
        }

        // P6, P11
        @Test(arguments: [false, true], [false, true])
        func `passes on what the path costs`(_ isExpensive: Bool, _ isConstrained: Bool) async {
            let world = World("cost")
            await world.observe(1)
            await world.report(
                .satisfied, isExpensive: isExpensive, isConstrained: isConstrained)
            let update = await world.reports.first?.update
            #expect(update?.expensive == PathTrait(isExpensive))
            #expect(update?.constrained == PathTrait(isConstrained))
        }

        @Test(arguments: [
            ReasonCase("cellular", .cellularDenied, .cellularDenied),
            ReasonCase("Wi-Fi", .wifiDenied, .wifiDenied),
            ReasonCase("the local network", .localNetworkDenied, .localNetworkDenied),
            ReasonCase("a VPN", .vpnInactive, .vpnInactive),
            ReasonCase("none given", .notAvailable, nil),
            ReasonCase("one of the future", .ofTheFuture, nil),
        ])
        func `says why there is no path, where it knows, and nothing of a path that is there`(
            _ test: ReasonCase
        ) async {
            let world = World("reasons")
            await world.observe(1)
            await world.report(.unsatisfied, because: test.given())
            await world.report(.requiresConnection, because: test.given())
            await world.report(.satisfied, because: test.given())
            #expect(await world.reports.map(\.update.reason) == [test.reason, test.reason, nil])
        }

        struct ReasonCase: CustomTestStringConvertible, Sendable {
            let testDescription: String
            /// Made where it is used, like a status.
            let given: @Sendable () -> NWPath.UnsatisfiedReason
            let reason: PathReason?

            init(
                _ name: String,
                _ given: @autoclosure @escaping @Sendable () -> NWPath.UnsatisfiedReason,
                _ reason: PathReason?
            ) {
                (testDescription, self.given, self.reason) = (name, given, reason)
            }
        }

        // P1, P6
        @Test func `says nothing before the first call, and never reads the current path`() async {
            let world = World("first")
            await world.observe(1)
            #expect(await world.reports == [])
            await world.report(.unsatisfied)
            await world.report(.satisfied)
            #expect(await world.reports.map(\.update.change) == [1, 2])
            #expect(await world.calls[0].contains(.currentPathRead) == false)
        }

        // P6
        @Test func `counts an equal path as a change`() async {
            let world = World("equal")
            await world.observe(1)
            await world.report(.satisfied)
            await world.report(.satisfied)
            #expect(
                await world.reports.map(\.update) == [
                    PathUpdate(.available, expensive: false, constrained: false, change: 1),
                    PathUpdate(.available, expensive: false, constrained: false, change: 2),
                ])
        }

        // P10, P11
        @Test func `counts another cost of the same interface as no change`() async {
            let world = World("low data mode")
            await world.observe(1)
            await world.report(.satisfied)
            await world.report(.satisfied, isConstrained: true)
            await world.report(.satisfied, over: .cellular, isExpensive: true)
            #expect(await world.reports.map(\.update.change) == [1, 1, 2])
        }

        // P11
        @Test func `counts a hotspot behind the same interface as a change`() async {
            let world = World("hotspot")
            await world.observe(1)
            await world.report(.satisfied)
            await world.report(.satisfied, through: .hotspot, isExpensive: true)
            await world.report(.satisfied, through: .hotspot)
            await world.report(.satisfied, through: .router, isExpensive: true)
            #expect(await world.reports.map(\.update.change) == [1, 2, 2, 3])
        }

        // P10, P11
        @Test func `counts another reason for no path as no change, and reports it`() async {
            let world = World("denied")
            await world.observe(1)
            await world.report(.unsatisfied, because: .wifiDenied)
            await world.report(.unsatisfied, because: .cellularDenied)
            await world.report(.unsatisfied, because: .cellularDenied)
            await world.report(.satisfied, because: .notAvailable)
            // A path that is there has no reason: what is equal to the eye may be another network.
            await world.report(.satisfied, because: .vpnInactive)
            #expect(await world.reports.map(\.update.change) == [1, 1, 2, 3, 4])
            #expect(
                await world.reports.map(\.update.reason) == [
                    .wifiDenied, .cellularDenied, .cellularDenied, nil, nil,
                ])
        }

        // P7, P8
        @Test func `has a monitor for each generation, which a late call still bears`() async {
            let world = World("generations")
            await world.observe(1)
            await world.cancel()
            await world.observe(2)
            await world.report(.satisfied, on: 0)
            await world.report(.unsatisfied, on: 1)
            #expect(
                await world.calls == [
                    [.made, .handlerSet, .started, .cancelled], [.made, .handlerSet, .started],
                ])
            #expect(await world.reports.map(\.generation) == [Generation(1), Generation(2)])
            #expect(await world.reports.map(\.update.change) == [1, 1])
        }

        @Test func `leaves no monitor running behind it`() async {
            let world = World("forgotten")
            await world.observe(1)
            await world.forget()
            #expect(await world.calls[0].last == .cancelled)
        }
    }
#endif
