// Package rating turns results into numbers: how strong a configuration is, how sure
// that is, and which of two is the stronger.
//
// There are two estimators because there are two questions. While games go on, pairing
// asks how strong a bucket is now: the live rating answers, Glicko-2 with every game a
// period of its own (Update). The boards ask what all games say together: the published
// fit answers, one Bradley–Terry model whose anchors stay where they are pinned (Refit).
// Live ratings drift, so each fit is laid under them (Rebase). Each bucket has both on
// two tracks; Counts alone says which games count on which.
//
// No number comes without its uncertainty: the fit has one joint covariance, and out of
// it come standard errors, rank intervals and the likelihood of being the stronger.
//
// Anybody can repeat every value bit for bit, on any processor. Hence: exp and log are
// our own; a product that is added to something stands inside float64(), so that no
// compiler fuses the two; whatever is summed is sorted first.
//
// The package is pure: no clock, no dice, no storage, no goroutine.
package rating
