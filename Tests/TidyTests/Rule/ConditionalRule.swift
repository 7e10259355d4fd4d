extension FileRule {
    /// Systems differ in adapters and in the file that chooses between them, nowhere else.
    static let conditionals = FileRule { file in
        guard let room = file.room, file.isSwift, !mayDiffer(room, file.path) else { return [] }
        return file.code.enumerated().compactMap { index, line in
            let words = line.split(separator: " ")
            guard let first = words.first, first == "#if" || first == "#elseif",
                line.contains("os(") || line.contains("canImport(") || line.contains("BELAY_APPLE"),
                !line.contains("canImport(CLinux)")
            else { return nil }
            return file.finding(line: index + 1, "only adapters ask which system this is")
        }
    }

    private static func mayDiffer(_ room: String, _ path: String) -> Bool {
        ["BelayFile", "BelayTCP", "BelayURLSession"].contains(room)
            || Exceptions.systems[path] != nil
    }
}
