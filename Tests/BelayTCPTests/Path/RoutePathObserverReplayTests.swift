import Foundation
import Testing

@testable import BelayTCP

/// What happens to real networks, done to one that a test made: the kernel is the real one.
@Suite(
    .tags(.realTime), .timeLimit(.minutes(5)),
    .enabled(
        if: NetworkNamespace.absence == nil, Comment(rawValue: NetworkNamespace.absence ?? "")))
struct `A path through a network that changes` {
    struct Replay: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(command: String, state: String)]

        init(_ name: String, _ steps: (String, String)...) {
            (testDescription, self.steps) = (name, steps.map { ($0.0, $0.1) })
        }
    }

    static let online = """
        ip link set v0 up
        ip address add 192.0.2.2/24 dev v0
        ip route add default via 192.0.2.1
        """

    /// The same by IPv6 alone, without asking whether somebody else has the address.
    static let online6 = """
        ip link set v0 up
        ip address add 2001:db8:1::2/64 dev v0 nodad
        ip route add default via 2001:db8:1::1 dev v0
        """

    // P1
    @Test(arguments: [
        Replay(
            "a link that comes up step by step",
            ("ip link set v0 up", "needsConnection"),
            ("ip address add 192.0.2.2/24 dev v0", "needsConnection"),
            ("ip route add default via 192.0.2.1", "available"),
            ("ip link set v0 down", "unavailable")),
        Replay(
            "a cable that is pulled and plugged in again: the routes stay",
            (online, "available"),
            ("there ip link set v1 down", "unavailable"),
            ("there ip link set v1 up", "available")),
        Replay(
            "an address that goes and takes the route with it, without a word",
            (online, "available"),
            ("ip address del 192.0.2.2/24 dev v0", "needsConnection"),
            ("ip address add 192.0.2.2/24 dev v0", "needsConnection"),
            ("ip route add default via 192.0.2.1", "available")),
        Replay(
            "a link that was down for a moment, and lost its route",
            (online, "available"),
            ("ip link set v0 down && ip link set v0 up", "needsConnection")),
        Replay(
            "a VPN by a link of its own",
            (online, "available"),
            (
                """
                ip link add vpn0 type veth peer name vpn1 netns $peer
                there ip link set vpn1 up
                ip link set vpn0 up
                ip address add 10.8.0.2/24 dev vpn0
                ip route add 0.0.0.0/1 via 10.8.0.1
                ip route add 128.0.0.0/1 via 10.8.0.1
                ip route del default
                """, "available"
            ),
            ("there ip link set vpn1 down", "needsConnection"),
            ("there ip link set vpn1 up", "available")),
        Replay(
            "a rule that leads elsewhere than the main table",
            (online, "available"),
            (
                """
                ip route add unreachable default table 77
                ip rule add to 203.0.113.0/24 lookup 77
                """, "needsConnection"
            ),
            ("ip rule del to 203.0.113.0/24 lookup 77", "available"),
            ("ip rule add to 203.0.113.0/24 prohibit", "needsConnection"),
            ("ip rule del to 203.0.113.0/24 prohibit", "available"),
            ("ip rule add to 203.0.113.0/24 blackhole", "needsConnection")),
        Replay(
            "the only way, in a table of its own",
            (
                """
                ip link set v0 up
                ip address add 192.0.2.2/24 dev v0
                """, "needsConnection"
            ),
            ("ip route add default via 192.0.2.1 table 78", "needsConnection"),
            ("ip rule add lookup 78", "available")),
        Replay(
            "a rule of IPv6 that leads elsewhere than the main table",
            (online6, "available"),
            (
                """
                ip -6 route add unreachable default table 77
                ip -6 rule add to 2001:db8:ffff::/48 lookup 77
                """, "needsConnection"
            ),
            ("ip -6 rule del to 2001:db8:ffff::/48 lookup 77", "available"),
            ("ip -6 rule add to 2001:db8:ffff::/48 prohibit", "needsConnection"),
            ("ip -6 rule del to 2001:db8:ffff::/48 prohibit", "available"),
            ("ip -6 rule add to 2001:db8:ffff::/48 blackhole", "needsConnection")),
        Replay(
            "the only way by IPv6, in a table of its own",
            (
                """
                ip link set v0 up
                ip address add 2001:db8:1::2/64 dev v0 nodad
                """, "needsConnection"
            ),
            ("ip -6 route add default via 2001:db8:1::1 dev v0 table 78", "needsConnection"),
            ("ip -6 rule add lookup 78", "available"),
            ("ip -6 rule del lookup 78", "needsConnection")),
        Replay(
            "a rule of IPv6, where IPv4 leads there still",
            ("\(online)\n\(online6)", "available"),
            ("ip -6 rule add to 2001:db8:ffff::/48 prohibit", "available"),
            ("ip rule add to 203.0.113.0/24 prohibit", "needsConnection"),
            ("ip -6 rule del to 2001:db8:ffff::/48 prohibit", "available")),
        Replay(
            "a bridge, whose cable is one of its ports",
            (
                """
                ip link add br0 type bridge
                ip link set v0 master br0
                ip link set v0 up
                ip link set br0 up
                ip address add 192.0.2.2/24 dev br0
                ip route add default via 192.0.2.1
                """, "available"
            ),
            ("there ip link set v1 down", "unavailable"),
            ("there ip link set v1 up", "available")),
        Replay(
            "a default route by the loopback leads nowhere",
            ("ip route add default dev lo", "unavailable")),
    ])
    func `has the state that its kernel would send by`(_ replay: Replay) async throws {
        let network = try await NetworkNamespace.prepared()
        for step in replay.steps {
            try await network.run(step.command, leadsTo: step.state)
        }
    }

    // P1
    @Test(
        .enabled(
            if: NetworkNamespace.tunnelAbsence == nil,
            Comment(rawValue: NetworkNamespace.tunnelAbsence ?? "")))
    func `does not lead into a tunnel whose process died`() async throws {
        let replay = Replay(
            "a VPN on two halves of the Internet whose process dies",
            (Self.online, "available"),
            (
                """
                ip tuntap add dev tun0 mode tun
                ip link set tun0 up
                ip address add 10.8.0.2/24 dev tun0
                ip route add 0.0.0.0/1 dev tun0
                ip route add 128.0.0.0/1 dev tun0
                """, "needsConnection"
            ),
            (
                """
                python3 -c 'if True:
                    import fcntl, struct, time
                    tun = open("/dev/net/tun", "r+b", buffering=0)
                    fcntl.ioctl(tun, 0x400454ca, struct.pack("16sH", b"tun0", 0x1001))
                    time.sleep(1_000)' & vpn=$!
                """, "available"
            ),
            ("kill -9 $vpn", "needsConnection"),
            ("ip link del tun0", "available"))
        let network = try await NetworkNamespace.prepared()
        for step in replay.steps {
            try await network.run(step.command, leadsTo: step.state)
        }
    }

    @Test(arguments: [
        (["ip link set v0 up", "ip address add 192.0.2.2/24 dev v0"], "noRoute"),
        (["ip link set v0 up", "ip -6 address flush dev v0"], "noAddress"),
        ([online, "ip route replace unreachable default"], "routeRefused"),
        ([online, "ip rule add to 203.0.113.0/24 prohibit"], "routeRefused"),
        ([online, "ip rule add to 203.0.113.0/24 blackhole"], "routeRefused"),
        ([online, "ip route del default"], "noRoute"),
        ([online, "ip address del 192.0.2.2/24 dev v0"], "noAddress"),
        ([online, "there ip link set v1 down"], "noCarrier"),
        ([online, "ip link set v0 down"], "noCarrier"),
        ([online], "-"),
    ])
    func `says why there is none`(_ commands: [String], _ reason: String) async throws {
        let network = try await NetworkNamespace.prepared()
        for command in commands { try await network.run(command) }
        try await network.wait { $0.reasons.last == reason }
    }

    @Test func `counts IPv6 once nobody else has the address`() async throws {
        let network = try await NetworkNamespace.prepared()
        try await network.run("ip link set v0 up", leadsTo: "needsConnection")
        let before = network.states.count
        try await network.run(
            """
            ip address add 2001:db8:1::2/64 dev v0
            ip route add default via 2001:db8:1::1 dev v0
            ip -6 address show dev v0 tentative | grep 2001:db8:1::2
            """)
        // Others come first: that of the loopback is there, that of the link is ready sooner.
        try await network.wait { $0.states.count > before }
        #expect(network.states.dropFirst(before) == ["available"])
        try await network.run("! ip -6 address show dev v0 tentative | grep 2001:db8:1::2")
    }

    @Test func `is another path by another link, though its state is the same`() async throws {
        let network = try await NetworkNamespace.prepared()
        try await network.run(Self.online, leadsTo: "available")
        let before = network.states.count
        try await network.run(
            """
            ip link add w0 type veth peer name w1 netns $peer
            there ip link set w1 up
            ip link set w0 up
            ip address add 198.51.100.2/24 dev w0
            ip route replace default via 198.51.100.1
            """, leadsTo: "available")
        try await network.wait { $0.states.count > before }
        #expect(network.states.suffix(2) == ["available", "available"])
    }

    @Test func `is asked for the way to the destination that was named`() async throws {
        let network = try await NetworkNamespace.prepared(probing: "198.51.100.7")
        try await network.run(
            """
            ip link set v0 up
            ip address add 192.0.2.2/24 dev v0
            ip route add 203.0.113.0/24 via 192.0.2.1
            """, leadsTo: "needsConnection")
        try await network.run("ip route add 198.51.100.0/24 via 192.0.2.1", leadsTo: "available")
    }

    @Test func `costs a look a twentieth of a second in a storm, and no report`() async throws {
        let network = try await NetworkNamespace.prepared()
        try await network.run(Self.online, leadsTo: "available")
        let (looks, reports) = (network.looks, network.states.count)
        let clock = ContinuousClock()
        let start = clock.now
        // 4,000 notices at least: an address, its route, and both gone again.
        try await network.run(
            """
            for n in {1..1000}; do
                echo address add 10.1.1.1/32 dev v0; echo address del 10.1.1.1/32 dev v0
            done | ip -batch -
            """)
        let length = clock.now - start
        #expect(network.states.count == reports)
        // A change of the state comes through behind it.
        try await network.run("there ip link set v1 down", leadsTo: "unavailable")
        let most = (clock.now - start) / .milliseconds(50)
        #expect(Double(network.looks - looks) <= most + 2, "in \(length)")
    }

    @Test func `is right after notices were lost`() async throws {
        let network = try await NetworkNamespace.prepared()
        try await network.run(Self.online, leadsTo: "available")
        try await network.run(
            """
            kill -STOP $probe
            for n in {1..2000}; do
                echo address add 10.1.1.1/32 dev v0; echo address del 10.1.1.1/32 dev v0
            done | ip -batch -
            there ip link set v1 down
            kill -CONT $probe
            """, leadsTo: "unavailable")
        try await network.run("there ip link set v1 up", leadsTo: "available")
        #expect(network.overruns > 0)
    }

    @Test func `takes notices from the kernel only`() async throws {
        let network = try await NetworkNamespace.prepared()
        try await network.run(Self.online, leadsTo: "available")
        let looks = network.looks
        let port = try #require(network.noticePort)
        try await network.run(
            """
            python3 -c 'if True:
                import socket, struct, time
                forger = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
                message = struct.pack("=IHHII", 32, 16, 0, 0, 0) + bytes(16)
                end = time.monotonic() + 0.5
                while time.monotonic() < end:
                    try: forger.sendto(message, socket.MSG_DONTWAIT, (\(port), 0))
                    except BlockingIOError: pass'
            """)
        try await network.run("there ip link set v1 down", leadsTo: "unavailable")
        // Of the cable, and perhaps one of before; not ten.
        #expect(network.looks - looks <= 3)
    }

    // P1, P11
    @Test(
        .enabled(
            if: PrivateBus.absence == nil, Comment(rawValue: PrivateBus.absence ?? "")))
    func `costs what NetworkManager says, which is a change of cost alone`() async throws {
        let (network, bus) = try await Self.networkWithManager(saying: "4")
        try await network.run(Self.online, leadsTo: "available")
        try await network.wait { $0.costs.last == "no" }
        let before = network.costs.count
        try await bus.manager(does: "Say uint32:3")
        try await network.wait { $0.costs.count > before }
        try await bus.managerLeaves()
        try await network.wait { $0.costs.count > before + 1 }
        try await bus.managerComes(saying: "1")
        try await network.wait { $0.costs.count > before + 2 }
        // A path that changes has the cost that was said last.
        try await network.run("there ip link set v1 down", leadsTo: "unavailable")
        #expect(network.costs.dropFirst(before) == ["yes", "unknown", "yes", "yes"])
        #expect(
            network.states.dropFirst(before)
                == ["available", "available", "available", "unavailable"])
    }

    // ThreadSanitizer has a thread of its own in the probe, which wakes by itself.
    private static let hasOnlyOurThreads =
        ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil

    @Test(.enabled(if: hasOnlyOurThreads))
    func `costs nothing while nothing changes`() async throws {
        let network = try await NetworkNamespace.prepared()
        try await network.run("\(Self.withoutIPv6)\n\(Self.online)", leadsTo: "available")
        try await Self.expectNoWakeUp(in: network)
    }

    @Test(
        .enabled(if: hasOnlyOurThreads),
        .enabled(
            if: PrivateBus.absence == nil, Comment(rawValue: PrivateBus.absence ?? "")))
    func `costs nothing on a bus where nothing changes`() async throws {
        let (network, bus) = try await Self.networkWithManager(saying: "4")
        try await network.wait { $0.costs.last == "no" }
        try await network.run("\(Self.withoutIPv6)\n\(Self.online)", leadsTo: "available")
        try await Self.expectNoWakeUp(in: network)
        // It was there all the time.
        try await bus.manager(does: "Say uint32:3")
        try await network.wait { $0.costs.last == "yes" }
    }

    @Test(
        .enabled(if: hasOnlyOurThreads),
        .enabled(
            if: PrivateBus.absence == nil, Comment(rawValue: PrivateBus.absence ?? "")))
    func `costs nothing on a bus whose first address leads nowhere`() async throws {
        let (network, _) = try await Self.networkWithManager(saying: "4") { shell in
            // Nobody has it, which is known a moment after the connection was begun.
            try await shell.run(
                """
                \(Self.withoutIPv6)
                \(Self.online)
                until ip link show v0 | grep -q "state UP"; do :; done
                echo 1 >/proc/sys/net/ipv4/neigh/v0/mcast_solicit
                echo 50 >/proc/sys/net/ipv4/neigh/v0/retrans_time_ms
                nowhere=tcp:host=192.0.2.77,port=9,family=ipv4
                export DBUS_SYSTEM_BUS_ADDRESS="$nowhere;$DBUS_SYSTEM_BUS_ADDRESS"
                """)
        }
        try await network.wait { $0.costs.last == "no" }
        try await Self.expectNoWakeUp(in: network)
    }

    /// Its address would be ready at some time in between.
    private static let withoutIPv6 = "ip link set v0 addrgenmode none"

    private static func networkWithManager(
        saying word: String, prepare: (TestShell) async throws -> Void = { _ in }
    ) async throws -> (NetworkNamespace, PrivateBus) {
        var made: PrivateBus?
        let network = try await NetworkNamespace.prepared { shell in
            let bus = try await PrivateBus(in: shell)
            try await bus.start()
            try await bus.managerComes(saying: word)
            try await prepare(shell)
            made = bus
        }
        return (network, try #require(made))
    }

    private static func expectNoWakeUp(in network: NetworkNamespace) async throws {
        // Those that were not wanted too: a loop that never waits has no others.
        try await network.run(
            """
            for n in {1..500}; do
                grep -h ^State /proc/$probe/task/*/status | grep -qv sleeping || break
            done
            """)
        try await network.run("switches() { grep -h _ctxt_ /proc/$probe/task/*/status; }")
        // Time passes by the work of others, some of which asks the kernel the same.
        try await network.run(
            """
            before=$(switches)
            for n in {1..200}; do ip route get 203.0.113.1; done >/dev/null
            test -n "$before" && test "$before" = "$(switches)"
            """)
    }
}
