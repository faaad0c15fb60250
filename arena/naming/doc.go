// Package naming keeps the names of models: which there are, what a submitted spelling
// means, and what becomes of configurations when an operator decides that a name means
// another.
//
// What is known is the registry file in assets, the models and aliases that operators
// added to the database, and, for suggestions only, the names somebody plays under.
// Read puts a spelling through package modelname with all of it; Reload takes up what
// another process changed.
//
// An operator's decision (verify, alias, unalias, rename, merge) is one transaction: the
// entry in the database, and the move of every configuration whose name now reads
// differently, with its bucket, games, records and ratings. A bucket whose new key is free only
// changes its name. One whose key exists becomes part of that bucket, and all ratings are
// replayed as if it had always been. Each decision gives a snapshot that undoes it; what was
// played meanwhile stays with the configuration that played it.
//
// The package never touches anchors, and never guesses: two names become one only by an
// operator's word or a rule of modelname.
package naming
