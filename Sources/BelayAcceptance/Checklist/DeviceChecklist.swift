/// What a simulator and Linux cannot show (requirement P13): tried by hand on a device.
public enum DeviceChecklist {
    /// All checks, in the order to try them.
    public static let all = [
        wifiToCellular, roaming, airplaneMode, lowDataMode, suspension, lockedScreen, onDemandVPN,
    ]

    private static let wifiToCellular = DeviceCheck(
        id: "wifi-to-cellular", title: "From Wi-Fi to cellular",
        requirements: ["P6", "P10", "P11"],
        reason: "A simulator has the path of its Mac, and no radio.",
        steps: [
            "Connect on Wi-Fi, with cellular data allowed for the app.",
            "Turn Wi-Fi off in Settings, not in the control centre.",
            "Wait until a message goes through again.",
        ],
        expected: [
            ExpectedLine("the path over Wi-Fi", .path("available", expensive: false)),
            ExpectedLine("the path over cellular", .path("available", expensive: true)),
            ExpectedLine(
                "the old connection answered, or a new one opened",
                .connection("pong", after: "open"), .connection("opened", after: "open")),
        ])

    private static let roaming = DeviceCheck(
        id: "wifi-to-wifi", title: "From one Wi-Fi to another",
        requirements: ["P8", "P10"],
        reason: "Both paths can look alike, and only a radio changes between them.",
        steps: [
            "Connect on one Wi-Fi.", "Choose another Wi-Fi in Settings.",
            "Wait until a message goes through again.",
        ],
        expected: [
            ExpectedLine("the first Wi-Fi", .path("available")),
            ExpectedLine("a report after the change", .path("available"), .path("unavailable")),
            ExpectedLine(
                "the old connection answered, or a new one opened",
                .connection("pong", after: "open"), .connection("opened", after: "open")),
        ])

    private static let airplaneMode = DeviceCheck(
        id: "airplane-mode", title: "Airplane mode on, a retry, and off",
        requirements: ["P3", "P10", "P12"],
        reason: "A simulator often stays without a path after its Mac is back.",
        steps: [
            "Connect, and turn airplane mode on.",
            "Tap retry: the app must try, and show how it failed.",
            "Turn airplane mode off, and wait for the connection.",
        ],
        expected: [
            ExpectedLine("no path", .path("unavailable")),
            ExpectedLine(
                "a real attempt all the same", .connection("connect", after: "connecting")),
            ExpectedLine("the path is back", .path("available")),
            ExpectedLine("a connection", .connection("opened", after: "open")),
        ])

    private static let lowDataMode = DeviceCheck(
        id: "low-data-mode", title: "Low Data Mode on and off",
        requirements: ["P10", "P11"],
        reason: "Only a device has the setting.",
        steps: [
            "Connect, and start an upload that nobody waits for.",
            "Turn Low Data Mode on for this network: the upload waits, and says why.",
            "Send a message: it must go through.",
            "Turn Low Data Mode off: the upload goes on.",
        ],
        expected: [
            ExpectedLine("the flag is on", .path("available", constrained: true)),
            ExpectedLine("a message went through", .connection("sent", after: "open")),
            ExpectedLine("the flag is off", .path("available", constrained: false)),
        ])

    private static let suspension = DeviceCheck(
        id: "suspension", title: "Ten minutes in the background",
        requirements: ["P1", "P4", "P7"],
        reason: "A simulator does not suspend an app, nor take its sockets away.",
        steps: [
            "Connect, and go to the home screen without a debugger attached.",
            "Wait ten minutes, and open the app.",
            "Within 3 seconds it must show the truth: live, or connecting.",
        ],
        expected: [
            ExpectedLine("the app left", .connection("background")),
            ExpectedLine("the app is back", .connection("foreground")),
            ExpectedLine("a report of the new observation", .path("available")),
            ExpectedLine(
                "the old connection answered, or a new one opened",
                .connection("pong", after: "open"), .connection("opened", after: "open")),
        ])

    private static let lockedScreen = DeviceCheck(
        id: "locked-screen", title: "A minute behind the locked screen",
        requirements: ["P1", "P4"],
        reason: "Locking cuts Wi-Fi on some devices, and the first report may be wrong.",
        steps: [
            "Connect, lock the screen, and wait a minute.", "Unlock.",
            "The banner must not say offline while a message goes through.",
        ],
        expected: [
            ExpectedLine("the app left", .connection("background")),
            ExpectedLine("the app is back", .connection("foreground")),
            ExpectedLine(
                "the old connection answered, or a new one opened",
                .connection("pong", after: "open"), .connection("opened", after: "open")),
        ])

    private static let onDemandVPN = DeviceCheck(
        id: "on-demand-vpn", title: "A VPN that comes up on demand",
        requirements: ["P3", "P6", "P10"],
        reason: "It needs a profile on a device; an app that waits for a path never brings it up.",
        steps: [
            "Install an on-demand VPN that the server's name needs, and disconnect it.",
            "Start the app: the attempt must bring the VPN up.",
        ],
        expected: [
            ExpectedLine("a path on demand", .path("needsConnection")),
            ExpectedLine("an attempt all the same", .connection("connect", after: "connecting")),
            ExpectedLine("the VPN's path", .path("available")),
            ExpectedLine("a connection", .connection("opened", after: "open")),
        ])
}
