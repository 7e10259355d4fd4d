import BelayCore

/// What NetworkManager says of the network that it holds for the main one (`NMMetered`).
///
/// A person decided, or it guesses: yes of a modem, of Bluetooth, and where DHCP names a phone; no
/// of the rest.
///
/// Source: NetworkManager's D-Bus reference, `org.freedesktop.NetworkManager.Metered`.
enum Metered: UInt32, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case yes
    case no
    case guessYes
    case guessNo

    /// A number that a later version may have is no answer that we understand.
    init(number: UInt32) {
        self = Metered(rawValue: number) ?? .unknown
    }

    /// A guess counts as what it guesses. Apple's systems guess too, by the kind of interface, and
    /// a phone's hotspot, which matters most, is hardly ever more than a guess.
    var trait: PathTrait {
        switch self {
        case .unknown: .unknown
        case .yes, .guessYes: .yes
        case .no, .guessNo: .no
        }
    }
}
