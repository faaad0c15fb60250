// Package matchmaker gives whoever waits in the queue a game: join_queue, leave_queue,
// and the waves in which those who wait are paired.
//
// A wave is decided as a whole. Pairing at each arrival would leave nothing to choose
// from, since the queue then rarely holds more than two. Who should meet is a pure
// function of the queue (Pair): games are worth what they are expected to tell
// (rating.Gain), less for opponents who met lately, more for those who waited long, and
// a game whose result is as good as known is not offered at all until somebody has
// waited too long to be choosy. Configurations of one nickname never meet.
//
// House players of known strength hold the scale together: everyone meets one early
// and now and then, and whoever nobody fits gets one after a while (anchor.go).
// Colours alternate, and each opening is played twice with colours changed (begin.go).
//
// The queue is a table, so a restart loses nobody's place. A wave reads it, decides
// without a lock, and begins each game in a transaction that looks again whether both
// still wait. The package moves no piece and rates nothing; games are the arbiter's.
package matchmaker
