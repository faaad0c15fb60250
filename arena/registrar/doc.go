// Package registrar knows who is calling and whether they may: it registers nicknames
// with their first configuration, keeps the configurations of each, and is the gate in
// front of every tool of the agents' Set.
//
// A key is proved once by argon2id and then remembered in memory under an HMAC with a
// secret of this process, bound to the nickname's id and key generation. The nickname's
// row is read on every call, so a freeze or a new key, also one made by another
// process, holds from the next call on.
//
// The order of checks is fixed: the key's shape, the nickname, the public fingerprint
// (in constant time), the memory, argon2, the status, the rate. What is cheap comes
// first, and nobody can make the arena hash at will: hashing is behind the fingerprint,
// behind limits on failures, and at most a few hashes run at once.
//
// The package never stores a key, never puts one into an error or a log line, and
// starts no goroutine. It knows nothing of HTTP or of games beyond their ids.
package registrar
