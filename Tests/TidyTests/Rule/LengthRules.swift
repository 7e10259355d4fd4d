extension FileRule {
    /// Sources end at 400 lines, tests at 600.
    static let fileLength = FileRule { file in
        let limit: Int
        switch file.area {
        case .source: limit = 400
        case .test, .other: limit = 600
        }
        guard file.lines.count > limit else { return [] }
        return [
            file.finding(line: limit + 1, "has \(file.lines.count) lines; the limit is \(limit)")
        ]
    }

    /// Lines end at 100 columns.
    static let lineLength = FileRule { file in
        file.lines.enumerated().compactMap { index, line in
            // Bytes first: hardly a line needs its characters counted.
            guard line.utf8.count > 100, line.count > 100 else { return nil }
            return file.finding(
                line: index + 1, "has \(line.count) columns; the limit is 100")
        }
    }

    /// Functions end at 70 lines, from the line of `func` to that of the closing brace.
    static let functionLength = FileRule { file in
        guard file.isSwift else { return [] }
        return FunctionLength.measure(file.tokens).compactMap { function in
            guard function.lines > 70 else { return nil }
            return file.finding(
                line: function.start, "a function of \(function.lines) lines; the limit is 70")
        }
    }
}
