import BelayCore

/// The two ways of a connection: what is waited for, and what came.
struct Directions: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// Bytes, the end or an error can be read; a connection can be accepted.
    static let reading = Directions(rawValue: 1)
    /// Bytes can be written; a connection attempt is decided.
    static let writing = Directions(rawValue: 2)
}

/// A descriptor that can be read or written, or both.
struct PollEvent: Hashable, Sendable {
    /// What the descriptor was watched with.
    let token: UInt64
    /// What it is ready for. An error shows as both: the call that follows tells.
    let directions: Directions
}

/// Says which descriptors are ready.
///
/// Level-triggered: a descriptor that stays ready is reported by every wait. So a connection may
/// be read once and left with a rest, and nothing has to remember it; and the system reports the
/// ready ones in turns, so none is served twice while another waits.
protocol Poller: AnyObject {
    /// Changes what `descriptor` is watched for. Nothing is reported for the empty set.
    func watch(
        _ descriptor: Int32, token: UInt64, from old: Directions, to new: Directions
    ) throws(SocketError)

    /// Ends the watch and closes the descriptor.
    func close(_ descriptor: Int32)

    /// Replaces `events` by what is ready; waits up to `timeout` for the first, without end for
    /// `nil`. A ring of the bell ends the wait.
    func wait(for timeout: Milliseconds?, into events: inout [PollEvent])

    /// Ends the present wait, or the next. The one call that any thread may make.
    func ring()
}

/// Which poller a loop runs on.
package enum PollerKind: Hashable, Sendable, CaseIterable {
    #if os(Linux)
        /// epoll: one system call a wake-up.
        case epoll
    #endif
    /// Dispatch sources: what every system has.
    case dispatch

    /// The fastest of this system.
    package static var standard: PollerKind { allCases[0] }

    func make() throws(SocketError) -> any Poller {
        switch self {
        #if os(Linux)
            case .epoll: try EpollPoller()
        #endif
        case .dispatch: try DispatchPoller()
        }
    }
}
