/// Why the system sees no path, as far as it says. It is shown to a person, and decides nothing.
///
/// Where there is none, nobody knows: a reason that was not there when this was written is none
/// either. A request may work all the same.
public enum PathReason: Hashable, Sendable, CaseIterable {
    // What a person decided, on Apple's systems. Source: NWPath.UnsatisfiedReason.

    /// This app may not use cellular.
    case cellularDenied
    /// This app may not use Wi-Fi.
    case wifiDenied
    /// This app may not use the local network.
    case localNetworkDenied
    /// The way leads by a VPN, which is not active.
    case vpnInactive

    // What a look at Linux's kernel found, in the order in which a machine gets them: of several
    // that hold, the last is shown.

    /// No link is ready: switched off, or without its cable, radio or process.
    case noCarrier
    /// A link is ready, and this machine has no address that an answer could come back to.
    case noAddress
    /// There is an address, and no route leads there.
    case noRoute
    /// A route or rule says that nothing may go there: prohibit, unreachable, blackhole.
    case routeRefused
}
