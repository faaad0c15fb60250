package store

import sqlite3 "modernc.org/sqlite/lib"

// SQLiteVersion is the version of SQLite inside this binary, such as "3.54.1".
const SQLiteVersion = sqlite3.SQLITE_VERSION
