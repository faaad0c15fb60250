// Package house is the house's own players: the ladder of anchors by which all ratings
// hang, and the hands that play them.
//
// A rung of the ladder is one way to play, defined by an engine and a limit that holds on
// any host, and has a configuration of the nickname "house". Its rating was measured
// (Calibrate) and is pinned: no game moves it. A rung is never changed in place. Another
// engine, or another calibration, is another harness and so another configuration, and
// what old games hang by stays as it was.
//
// The player looks which games the house has, thinks where it is to move, and submits
// moves through the arbiter like any agent. When an engine fails in the middle of a game,
// the nearest rung of the built-in engine plays on and the game counts for nothing: the
// other side finishes its game, and no rating is wrong for it.
//
// While nobody else plays, two neighbours on the ladder play each other, unrated and
// slowly enough to watch. The package pairs nobody else and judges nothing.
package house
