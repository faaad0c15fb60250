// Package arena is the vocabulary of the competition: who plays (nicknames, keys,
// configurations, buckets), what is played (games, seats, clocks, results) and how
// things are said to a client (codes, errors, settings).
//
// Its rules: plain values and pure decisions only. Nothing here does I/O, starts a
// goroutine, reads the clock or draws a random number; a time is an argument and
// entropy is an io.Reader. JSON names are those of the tool contract and live in
// tags; the Go names are those of chess and of rating systems.
//
// A game has three separate facts about its end, never one string: the Status (is it
// over, does it count), the Result (who won) and the Termination (how it ended).
//
// The package never knows how anything is stored, sent or drawn.
package arena
