package arena

import (
	"slices"
	"strings"
	"time"

	"chessarena/rules"
)

// Status says whether a game is going on, and whether it counts.
type Status string

// The statuses. A void game is over and counts for nothing.
const (
	Active   Status = "active"
	Finished Status = "finished"
	Void     Status = "void"
)

// Result is the score of a game as PGN writes it, save that a draw is "1/2" here.
type Result string

// The results; an active game has none.
const (
	WhiteWins Result = "1-0"
	BlackWins Result = "0-1"
	Draw      Result = "1/2"
	NoResult  Result = "*" // of a void game
)

// WinFor is the result with winner on top.
func WinFor(winner rules.Color) Result {
	if winner == rules.White {
		return WhiteWins
	}
	return BlackWins
}

// Score is what side made of the result: 1, ½ or 0.
func (r Result) Score(side rules.Color) float64 {
	switch r {
	case Draw:
		return 0.5
	case WinFor(side):
		return 1
	}
	return 0
}

// PGN is the result token of the PGN standard (8.1.1.7).
func (r Result) PGN() string {
	switch r {
	case Draw:
		return "1/2-1/2"
	case "":
		return "*"
	}
	return string(r)
}

// Termination says how a game ended. Endings on the board carry the word of
// rules.Ending; the others are below.
type Termination string

// Terminations that are not decided on the board.
const (
	Resignation  Termination = "resignation"
	DrawAgreed   Termination = "draw_agreed"
	IllegalMoves Termination = "illegal_moves"
	Timeout      Termination = "timeout"
	ByAdmin      Termination = "admin"
)

// Forfeit reports whether a side lost by breaking the rules of the competition
// rather than on the board or by its own word.
func (t Termination) Forfeit() bool { return t == IllegalMoves || t == Timeout }

// PGN is the word of the PGN standard's Termination tag (9.8.1).
func (t Termination) PGN() string {
	switch t {
	case "":
		return "unterminated"
	case Timeout:
		return "time forfeit"
	case IllegalMoves:
		return "rules infraction"
	case ByAdmin:
		return "abandoned"
	case Termination(rules.MaxPlies):
		return "adjudication"
	}
	return "normal"
}

// Seat is one player's place in a game, with what the game must remember of it even
// when the configuration changes later.
type Seat struct {
	NicknameID  int64
	Nickname    Nickname
	Fingerprint Fingerprint
	ConfigID    int64
	BucketID    int64
	BucketKey   BucketKey
	Config      Config // without notes
}

// Opening is the book line a game started from; its moves are part of the history.
type Opening struct {
	ECO  string `json:"eco"`
	Name string `json:"name"`
}

// Offer is a draw offer, made at a ply. It stands until the ply changes.
type Offer struct {
	By  rules.Color `json:"by"`
	Ply int         `json:"ply"`
}

// Game is the record of one game: who, under which conditions, and where it stands.
// The moves are kept apart.
type Game struct {
	ID    GameID
	RowID int64
	Kind  string   // the game played: "chess"
	Seats [2]Seat  // by colour
	Start string   // FEN of the start position, "" for the standard one
	Open  *Opening // nil when no book line was assigned
	Book  int      // plies of the opening at the head of the history
	Rated bool
	Pace  TimeControl

	Status      Status
	Result      Result       // "" while active
	Termination Termination  // "" while active
	Forfeiter   *rules.Color // who forfeited, nil when nobody did

	Ply      int // moves made, the opening's included
	Clock    Clock
	Illegal  int     // illegal attempts at this ply
	Offers   []Offer // those of the last 20 plies and the latest
	Created  time.Time
	Finished time.Time // zero while active

	Log LogHead // where the game's log ends
	// OnBoard is the verdict on a forfeited game: whether it counts on the board track.
	// Nil means that there is none, or none yet.
	OnBoard *bool
}

// MaxOffers draws may be offered by one side within OfferWindow plies.
const (
	MaxOffers   = 3
	OfferWindow = 20
)

// StandingOffer reports whether by's draw offer stands now.
func (g *Game) StandingOffer(by rules.Color) bool {
	return slices.Contains(g.Offers, Offer{by, g.Ply})
}

// ExpiredOffer reports whether by has offered a draw that a move has ended.
func (g *Game) ExpiredOffer(by rules.Color) bool {
	return slices.ContainsFunc(g.Offers, func(o Offer) bool { return o.By == by && o.Ply < g.Ply })
}

// MayOffer reports whether by has fewer than MaxOffers offers behind it in the last
// OfferWindow plies.
func (g *Game) MayOffer(by rules.Color) bool {
	n := 0
	for _, o := range g.Offers {
		if o.By == by && o.Ply > g.Ply-OfferWindow {
			n++
		}
	}
	return n < MaxOffers
}

// Color returns the seat of a nickname; ok is false when it has none. A nickname with
// both seats is given the one whose turn it is, so that it can play itself.
func (g *Game) Color(nicknameID int64, turn rules.Color) (c rules.Color, ok bool) {
	if g.Seats[turn].NicknameID == nicknameID {
		return turn, true
	}
	other := turn.Other()
	return other, g.Seats[other].NicknameID == nicknameID
}

// Turn is the side to move: that of the start position when the ply is even.
func (g *Game) Turn() rules.Color {
	if g.Ply%2 == 0 {
		return g.first()
	}
	return g.first().Other()
}

// first is the side that moved first, or will.
func (g *Game) first() rules.Color {
	if fields := strings.Fields(g.Start); len(fields) > 1 && fields[1] == "b" {
		return rules.Black
	}
	return rules.White
}

// Played is the number of plies the players have made themselves.
func (g *Game) Played() int { return g.Ply - g.Book }

// EarlyPlies is how many plies the players must have made before a game can be lost
// by time, or count on the board track without a result on the board.
const EarlyPlies = 10

// Move is one ply of a game's history.
type Move struct {
	UCI      string
	SAN      string
	At       time.Time
	Think    time.Duration // from the start of the turn to the move
	Illegal  int           // illegal attempts before it
	OverSoft bool          // past the soft deadline
	Book     bool          // of the assigned opening; nobody thought about it
}
