// Package e2e tests the arena from outside: the built binary as a process of its own,
// and everything that strangers point at it. Official MCP clients play games, real games
// are replayed move by move, the conformance suite and a browser have their say, the
// process is killed in the middle of things.
//
// It is a module of its own, so that what the tests need (a browser driver, node
// packages) never enters the program's go.mod. Tools that are not installed skip their
// tests with a sentence; with ARENA_TEST_ALL=1 a missing tool is a failure.
// ARENA_TEST_LONG=1 kills the arena a hundred times instead of once. Load programs with
// figures are under load.
package e2e
