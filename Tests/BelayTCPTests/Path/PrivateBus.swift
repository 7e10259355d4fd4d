#if os(Linux)
    import Foundation
    import Testing

    @testable import BelayTCP

    /// A bus of a test's own: Debian's dbus-daemon, with a NetworkManager that says what the test
    /// wants (`network_manager.py`). Both live in a shell, whose environment names the bus.
    final class PrivateBus {
        /// Why there can be none here; nil where there can.
        static let absence = missingLibrary ?? missingPrograms

        private static let python = "/usr/bin/python3"  // It has the system's modules.
        private static let script = Bundle.module.path(forResource: "network_manager", ofType: "py")
        private let shell: TestShell
        private var starts = 0
        /// Where it is, as D-Bus writes it.
        let address: String

        /// A bus that lets everybody in.
        init(in shell: TestShell) async throws {
            self.shell = shell
            try await shell.run("echo \"folder $folder\"")
            let folder = try #require(shell.lines.last { $0.hasPrefix("folder ") }).dropFirst(7)
            address = "unix:path=\(folder)/bus"
            try await shell.run("export DBUS_SYSTEM_BUS_ADDRESS='\(address)'")
        }

        convenience init() async throws {
            try await self.init(in: TestShell())
        }

        /// Begins; `rules` are elements of a policy of its own.
        func start(rules: String = "") async throws {
            try await shell.run(
                """
                cat >"$folder/bus.conf" <<END
                <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth>
                <policy context="default"><allow user="*"/><allow own="*"/>
                <allow send_destination="*"/><allow receive_sender="*"/>\(rules)</policy>
                </busconfig>
                END
                # It complains in pieces, between which the lines of others could come.
                dbus-daemon --config-file="$folder/bus.conf" --nofork --print-address \
                    2>"$folder/complaints" & daemon=$!
                """)
            starts += 1
            try await shell.wait { $0.count { $0.hasPrefix(address) } == starts }
        }

        /// It and all its connections are gone.
        func stop() async throws {
            // What Foundation starts may have every other signal blocked.
            try await shell.run("kill -9 $daemon; wait $daemon; rm -f \"$folder/bus\"")
        }

        /// NetworkManager comes, and has this to say when it is asked.
        func managerComes(saying word: String) async throws {
            let before = count(of: "serving")
            try await runScript("serve \(word) & manager=$!")
            try await shell.wait { _ in count(of: "serving") > before }
        }

        /// It leaves, and the bus knows.
        func managerLeaves() async throws {
            try await shell.run("kill -9 $manager; wait $manager; true")
        }

        /// It does one of what its script can be called for.
        func manager(does call: String) async throws {
            try await shell.run(
                """
                dbus-send --system --print-reply --dest=org.freedesktop.NetworkManager \
                    /org/freedesktop/NetworkManager test.Manager.\(call) >"$folder/answer"
                """)
        }

        /// Another program claims to be it, and says this number.
        func stranger(claims number: Int) async throws {
            try await runScript("forge \(number)")
        }

        /// In place of a bus, something that takes connections and says nothing. It says "taken",
        /// and "left" when the other end has gone.
        func startDeaf() async throws {
            try await shell.run(
                """
                python3 -uc 'if True:
                    import socket, sys
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(sys.argv[1])
                    listener.listen()
                    print("listening")
                    connection = listener.accept()[0]
                    print("taken")
                    while connection.recv(4096): pass
                    print("left")' "$folder/bus" &
                """)
            try await waits(for: "listening")
        }

        func waits(for line: String) async throws {
            try await shell.wait { $0.contains(line) }
        }

        func hasSaid(_ line: String) -> Bool { shell.lines.contains(line) }

        private func runScript(_ arguments: String) async throws {
            let script = try #require(Self.script)
            try await shell.run("\(Self.python) '\(script)' \(arguments)")
        }

        private func count(of line: String) -> Int { shell.lines.count { $0 == line } }

        private static var missingLibrary: String? {
            do throws(MeteredBus.Absence) {
                _ = try MeteredBus(at: "unix:path=/nowhere")
                return nil
            } catch {
                return error == .noLibrary ? "no libsystemd; see Scripts/setup" : nil
            }
        }

        private static var missingPrograms: String? {
            TestShell.refusal(
                of: """
                    command -v dbus-daemon && command -v dbus-send && command -v python3 \
                        && \(python) -c 'import dbus, gi'
                    """)
        }
    }
#endif
