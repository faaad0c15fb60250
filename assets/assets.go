// Package assets holds the bytes that the program carries inside itself: page
// templates, the style sheet, icons and piece drawings.
//
// It has no code and no opinion about them. The web door parses the templates, names
// static files by their hash and serves them; whoever needs a file reads it from
// here. A clean checkout builds with `go build` alone: nothing in here is generated,
// minified or fetched, and everything is this project's own work.
package assets

import "embed"

// Templates holds templates/*.html: layout.html, a file for each page, and part_*.html
// with what several pages share.
//
//go:embed templates
var Templates embed.FS

// Static holds static/*: what browsers load by address.
//
//go:embed static
var Static embed.FS

// Openings holds the lines that paired games begin from, one a row; its head says what
// the columns are and where they come from.
//
//go:embed openings.tsv
var Openings string

// Anchors is what calibrations have measured of the house's players, as JSON: the strength
// that each is pinned to, and how that was found.
//
//go:embed anchors.json
var Anchors string

// Models is the registry of known models, as JSON in the order of their ids. The
// document docs/models.md says how it was made and how to add to it.
//
//go:embed models.json
var Models string
