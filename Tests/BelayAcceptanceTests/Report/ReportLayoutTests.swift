import Testing

@testable import BelayAcceptance

@Suite struct `The layout of a report's table` {
    private static let rows = [
        ["requirements", "scenario", "looked at", "threshold", "observed", "verdict"],
        [
            "W4 W5 W20", "pong-answered", "from open to first ping", "80 to 3000 ms",
            String(repeating: "x", count: 60), "passed",
        ],
    ]

    private struct Wide: Sendable, CustomTestStringConvertible {
        let columns: Int
        let shown: [Int]
        let width: Int
        var testDescription: String { "\(columns) columns" }
    }

    @Test(arguments: [
        Wide(columns: .max, shown: [0, 1, 2, 3, 4, 5], width: 124),
        Wide(columns: 124, shown: [0, 1, 2, 3, 4, 5], width: 124),
        Wide(columns: 123, shown: [0, 1, 2, 3, 4, 5], width: 123),
        Wide(columns: 78, shown: [0, 1, 2, 3, 4, 5], width: 78),
        Wide(columns: 77, shown: [1, 2, 3, 4, 5], width: 77),
        Wide(columns: 60, shown: [1, 2, 4, 5], width: 60),
        Wide(columns: 40, shown: [1, 4, 5], width: 40),
        // Nothing is left to leave out.
        Wide(columns: 10, shown: [1, 4, 5], width: 36),
    ])
    private func `cuts cells, then leaves columns out`(_ wide: Wide) {
        let layout = ReportLayout(Self.rows, columns: wide.columns)
        #expect((0..<6).filter(layout.shows) == wide.shown)
        for row in Self.rows {
            #expect(layout.cells(of: row).joined(separator: "  ").count == wide.width)
        }
    }

    @Test func `marks a cell that was cut`() {
        let cells = ReportLayout(Self.rows, columns: .max).cells(of: Self.rows[1])
        #expect(cells[4] == String(repeating: "x", count: 45) + "…")
        #expect(cells[2] == "from open to first ping")
    }

    @Test func `knows whether a row is shown whole`() {
        let layout = ReportLayout(Self.rows, columns: .max)
        #expect(layout.showsWhole(Self.rows[0]))
        #expect(!layout.showsWhole(Self.rows[1]))
        #expect(!ReportLayout(Self.rows, columns: 40).showsWhole(Self.rows[0]))
    }
}
