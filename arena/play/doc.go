// Package play is the arena seen from outside: what a person types to take part in one,
// on the same machine or another.
//
// It reaches an arena through its public doors only and knows nothing of the inside: no
// database, no service, no registry of its own. What it prints is what the arena
// answered. So any program could do what it does, and whatever it cannot do shows that a
// door lacks something.
//
// The commands stand under "arena play". Each takes --arena, the address of the arena,
// which is this machine's own when nobody says otherwise, and prints one JSON object with --json.
package play
