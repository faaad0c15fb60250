// Package rating turns results into numbers: how strong a configuration is, how sure
// that is, and which of two is the stronger.
//
// There are two estimators because there are two questions. While games go on, pairing
// asks how strong a bucket is now: the live rating answers, Glicko-2 with every game a
// rating period of its own (Update). The boards ask what all games together say: the
// published fit answers, one Bradley–Terry model of all rated games whose anchors stay
// exactly where they are pinned (Refit). The live ratings drift, so each fit is laid
// under them (Rebase). A rating that moves because of that is a recalibration and never
// the reward of a game.
//
// Each bucket has both on two tracks; Counts is the one place that says which games
// count on which.
//
// No number comes without its uncertainty. The fit has one joint covariance, out of it
// come standard errors, rank intervals and the likelihood of being the stronger;
// buckets that share opponents share their errors, and separate intervals would
// overstate what divides them.
//
// Anybody can repeat every stored value bit for bit, on any processor. Hence the rules
// of this package: exp and log are our own; a product that is added to something stands
// inside float64(), which forbids the compiler to fuse the two; whatever is summed is
// sorted first, so neither a map nor the order of the input decides a last digit.
//
// The package is pure. It reads no clock, rolls no dice, stores nothing and starts no
// goroutine.
package rating
