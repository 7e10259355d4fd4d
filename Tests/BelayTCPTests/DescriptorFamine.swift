#if os(Linux)
    import Glibc

    /// This process gets no new descriptor until it ends. For a process of a test's own.
    ///
    /// By the limit, not by taking all there are: the runtime opens and closes a few when it likes,
    /// and what it gives back would be one to have.
    struct DescriptorFamine {
        private let before: rlimit

        init() {
            // The limit forbids all numbers but zero; that one is always taken.
            if fcntl(0, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
            var limit = rlimit()
            getrlimit(Self.descriptors, &limit)
            before = limit
            limit.rlim_cur = 1
            setrlimit(Self.descriptors, &limit)
        }

        func end() {
            var limit = before
            setrlimit(Self.descriptors, &limit)
        }

        private static var descriptors: __rlimit_resource_t {
            __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        }
    }
#endif
