#if os(Linux)
    import CDBus
    import Glibc

    /// A connection to the bus, and what NetworkManager says there (CDBus).
    final class MeteredBus {
        /// Why there is none.
        enum Absence: Error {
            /// No library speaks to a bus here, now or later.
            case noLibrary
            case refused
        }

        /// What one step came upon.
        enum Step: Hashable {
            /// Nothing more, until the socket has something.
            case idle
            case other
            case news(MeteredMachine.Input)
            case failed
        }

        private let watch: OpaquePointer

        /// Begins to connect; nil is the system's bus.
        init(at address: String?) throws(Absence) {
            var opened: OpaquePointer?
            let result = cdbus_open(address, &opened)
            guard result == 0, let opened else {
                throw result == -ELIBACC ? .noLibrary : .refused
            }
            watch = opened
        }

        deinit {
            cdbus_close(watch)
        }

        /// A descriptor of the socket, if it is another than that of the last one. The caller's.
        func takeDescriptor() throws(Absence) -> Int32? {
            var descriptor: Int32 = -1
            let result = cdbus_take_descriptor(watch, &descriptor)
            guard result >= 0 else { throw .refused }
            return result == 0 ? nil : descriptor
        }

        /// What it waits for; nil where it broke.
        var wishes: Directions? {
            let bits = cdbus_wishes(watch)
            guard bits >= 0 else { return nil }
            var wishes: Directions = []
            if UInt32(bits) & CDBUS_READ.rawValue != 0 { wishes.insert(.reading) }
            if UInt32(bits) & CDBUS_WRITE.rawValue != 0 { wishes.insert(.writing) }
            return wishes
        }

        /// Does what can be done at once.
        func step() -> Step {
            let step = cdbus_step(watch)
            guard step >= 0 else { return .failed }
            switch UInt32(step) {
            case CDBUS_IDLE.rawValue: return .idle
            case CDBUS_OWNED.rawValue: return .news(.owned(by: owner))
            case CDBUS_UNOWNED.rawValue: return .news(.owned(by: nil))
            case CDBUS_SAID.rawValue:
                return .news(.said(Metered(number: cdbus_metered(watch)), by: owner))
            case CDBUS_UNREADABLE.rawValue: return .news(.said(.unknown, by: owner))
            case CDBUS_WITHDRAWN.rawValue: return .news(.withdrawn(by: owner))
            default: return .other
            }
        }

        /// Asks the owner; false where that cannot be sent.
        func ask(_ owner: String) -> Bool { cdbus_ask(watch, owner) >= 0 }

        private var owner: String { String(cString: cdbus_owner(watch)) }
    }
#endif
