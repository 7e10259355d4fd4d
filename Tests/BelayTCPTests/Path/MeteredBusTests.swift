#if os(Linux)
    import Foundation
    import Glibc
    import Testing

    @testable import BelayTCP

    @Suite(
        .timeLimit(.minutes(1)),
        .enabled(if: PrivateBus.absence == nil, Comment(rawValue: PrivateBus.absence ?? "")))
    struct `A connection to a bus` {
        @Test func `says that no descriptor is left, and gives one when there is`() async {
            // A process of its own: other tests need descriptors meanwhile.
            await #expect(processExitsWith: .success) {
                let path = FileManager.default.temporaryDirectory
                    .appending(component: "belay-bus-\(getpid())").path
                let listener = try Self.listener(at: path)
                defer { unlink(path) }
                let bus = try MeteredBus(at: "unix:path=\(path)")
                let famine = DescriptorFamine()
                for _ in 0..<2 {
                    #expect(throws: MeteredBus.Absence.refused) { try bus.takeDescriptor() }
                }
                famine.end()
                let taken = try #require(try bus.takeDescriptor())
                #expect(fcntl(taken, F_GETFD) >= 0)
                #expect(try bus.takeDescriptor() == nil)
                close(taken)
                close(listener)
            }
        }

        /// Takes connections, which nobody serves.
        private static func listener(at path: String) throws -> Int32 {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound && listen(descriptor, 1) == 0)
            return descriptor
        }
    }
#endif
