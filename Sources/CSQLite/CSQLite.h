#pragma once

// The system's SQLite, and what of its header Swift cannot read: casts, and variable arguments.
#include <sqlite3.h>

// SQLite copies the bytes before these return.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(statement, place, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// No statement may write to SQLite's own pages, and functions of a schema are not trusted.
static inline int csqlite_harden(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code != SQLITE_OK) return code;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}
