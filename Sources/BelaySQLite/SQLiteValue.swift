/// A value of a statement or of a row, of one of SQLite's five types.
public enum SQLiteValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// What can be bound to a place (`?`) of a statement.
public protocol SQLiteBindable {
    /// The value as SQLite takes it.
    var sqliteValue: SQLiteValue { get }
}

extension SQLiteValue: SQLiteBindable {
    /// Itself.
    public var sqliteValue: SQLiteValue { self }
}

extension Int64: SQLiteBindable {
    /// An integer.
    public var sqliteValue: SQLiteValue { .integer(self) }
}

extension Int: SQLiteBindable {
    /// An integer.
    public var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Double: SQLiteBindable {
    /// A floating-point number; SQLite stores NaN as nothing.
    public var sqliteValue: SQLiteValue { .real(self) }
}

extension String: SQLiteBindable {
    /// A text.
    public var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteBindable {
    /// Bytes.
    public var sqliteValue: SQLiteValue { .blob(self) }
}
