// Package admin is the operators' door: what hosts do to look after their arena, and
// the command line they do it from.
//
// Every verb is a tool of the operators' Set, said once. The cobra commands under
// "arena admin" are generated from that Set: positional arguments, flags and help all
// come from a tool's Spec and its arguments' tags, so a verb never has two forms that
// can drift apart, and an operator's agent can be given the very same verbs.
//
// A tool that changes something is made with write, and in no other way. It gets a
// transaction instead of a database, and says how to undo what it did; its effect,
// the audit row and the undo snapshot are committed together or not at all.
//
// The commands open the database themselves and work whether or not a server has the
// same file open; a server notices within a second. The package never decides who may
// be an operator over a network: the gate it makes opens for this machine's shell only.
package admin
