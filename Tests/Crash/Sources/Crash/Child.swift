import Foundation

/// A process of ours, and what it says line by line.
struct Child {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let pid: pid_t
    private let output: FileHandle

    init(_ program: String, _ arguments: [String]) throws {
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, program, &actions, nil, &words, environ)
        guard code == 0 else { throw Failed(description: "\(program): error \(code)") }
        self.pid = pid
        try pipe.fileHandleForWriting.close()
    }

    /// Waits until it says this word.
    func wait(for word: String) throws {
        var said = ""
        while !said.hasSuffix("\(word)\n") {
            var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            // Not FileHandle's own reading, which waits until there is as much as it may read.
            var bytes = [UInt8](repeating: 0, count: 64)
            guard poll(&ready, 1, 60_000) > 0,
                case let count = read(output.fileDescriptor, &bytes, bytes.count), count > 0
            else {
                kill()
                throw Failed(description: "the subject never said \(word), but '\(said)'")
            }
            said += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// Lets it live for a while.
    func live(milliseconds: Int32) {
        _ = poll(nil, 0, milliseconds)
    }

    /// Kills it as no program can prevent, and waits until it is gone.
    func kill() {
        _ = Foundation.kill(pid, SIGKILL)
        waitForEnd()
    }

    /// Answers its exit code; -1 where a signal ended it.
    @discardableResult
    func waitForEnd() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }
}
