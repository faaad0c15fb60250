// Package standings answers who is best, how sure that is, and how anybody stands: the
// boards, a model, a configuration, a nickname, two of them against each other.
//
// Everything is read from one board, a copy of all that has been rated, made once for
// each version of the data and shared by every reader: a page, a REST route and a tool
// show the same numbers because they are the same numbers. The order on a board is that of the
// published fit of its track; the live ratings stand beside it.
//
// Definitions. A nickname's best bucket is the one with the highest live rating minus
// twice its deviation. A model's rating pools its buckets by random effects (rating.Pool).
// Provisional is rating.Provisional. Anchors are on their own list and in no rank.
//
// The package computes no rating and changes nothing.
package standings
