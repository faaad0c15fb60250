// Package store keeps the arena in one SQLite file and is the only package that speaks
// SQL. It returns the nouns of package arena and decides nothing about them.
//
// Its rules:
//   - Every query is a package variable made by register, so a test can explain all of
//     them and refuse table scans; a query made otherwise panics.
//   - Reads go through View: a snapshot on one of a few read-only connections. Writes go
//     through Update on the one connection that can write.
//   - Update commits in groups. Whoever holds the turn runs its own closure, on its own
//     goroutine, inside the open transaction, and passes the turn on; the last in line
//     commits for all, with one fsync, and only then does anybody return. Batches form by
//     themselves while a commit waits for the disk. There is no writer goroutine: nothing
//     to start or stop, and a panic or a t.Fatal stays with the caller it belongs to.
//   - The first closure of a batch is undone by ROLLBACK, each later one by its SAVEPOINT.
//   - Times are UTC and kept to the millisecond; Tx.Now is one instant for a whole closure.
//   - Failures are told apart by SQLite's codes, never by their text. What a client may
//     read is an arena.Error; a file that cannot be opened is an OpenError.
//
// It never runs chess rules, never logs keys, and never opens a database that exists but
// through SQLite: where locks are POSIX's, closing another descriptor would drop them.
package store
