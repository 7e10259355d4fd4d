#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A thread of the system, to be joined by whoever started it.
struct SystemThread: Sendable {
    /// Tells threads apart while they live; 0 is none.
    static var current: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    #if canImport(Darwin)
        private let thread: UInt
    #else
        private let thread: pthread_t
    #endif

    /// Starts a thread that runs `body`.
    init(_ body: @escaping @Sendable () -> Void) throws(SocketError) {
        let context = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
            var started: pthread_t?
            let status = pthread_create(
                &started, nil,
                { context in
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
            thread = UInt(bitPattern: started)
        #else
            var started = pthread_t()
            let status = pthread_create(
                &started, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
            thread = started
        #endif
        guard status == 0 else {
            context.release()
            throw SocketError(status)
        }
    }

    /// Waits until the thread has ended. Once for each thread.
    func join() {
        #if canImport(Darwin)
            if let thread = pthread_t(bitPattern: thread) { pthread_join(thread, nil) }
        #else
            pthread_join(thread, nil)
        #endif
    }
}
