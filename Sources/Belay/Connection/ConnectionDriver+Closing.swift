extension ConnectionDriver {
    /// The program closes it: counted now, and stopped in the domain's next turn.
    nonisolated func close() {
        closes.increment()
        submit(.stop)
    }

    /// A reader was cancelled before it began: what was closed until now was closed for it.
    nonisolated func forgo() {
        domain.submit { [weak self] in
            self?.assumeIsolated { $0.wasRead = true }
        }
    }
}
