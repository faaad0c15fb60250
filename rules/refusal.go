package rules

import (
	"fmt"
	"strings"
)

// Reason is a stable word for why a move text was refused. It is the reason
// of the contract's failed submit_move.
type Reason string

// Every reason there is.
const (
	Empty               Reason = "empty"                // no text at all
	TooLong             Reason = "too_long"             // over MaxMoveText bytes
	Unreadable          Reason = "unreadable"           // not a move in SAN or UCI
	Illegal             Reason = "illegal"              // the piece does not go there
	Ambiguous           Reason = "ambiguous"            // two or more legal moves fit
	PromotionMissing    Reason = "promotion_missing"    // a pawn reaches the last rank and no piece is named
	PromotionImpossible Reason = "promotion_impossible" // a piece is named where none, or not that one, can be had
	WrongOrigin         Reason = "wrong_origin"         // such a piece goes there, but not from where the text says
	NoPiece             Reason = "no_piece"             // nothing stands on the origin, or the mover has no such piece
	NotYourPiece        Reason = "not_your_piece"       // the opponent's man stands on the origin
	NoCapture           Reason = "no_capture"           // an x, and nothing is taken
	CaptureUnmarked     Reason = "capture_unmarked"     // "e5" for dxe5: a taking pawn names its file
	NotEnPassant        Reason = "not_en_passant"       // an e.p. on another kind of move
	CastlingUnavailable Reason = "castling_unavailable" // castling on that side is not possible now
	LeavesKingInCheck   Reason = "leaves_king_in_check" // the mover's own king would be attacked
)

// MaxCandidates is the most moves a Refusal lists.
const MaxCandidates = 12

// Refusal is why a move text was not accepted. It is data about a losing
// attempt, not an error of the program.
type Refusal struct {
	Reason Reason

	// Text is what was sent, safe to show to anyone: at most 16 characters
	// that moves are written with, each other one replaced by '?'. It cannot
	// carry a sentence into somebody else's prompt.
	Text string

	// Candidates are legal moves, in SAN, that the text may have meant: those
	// it does not tell apart, those that a corrected fact would give, or what
	// the named piece can do instead. At most MaxCandidates; may be empty.
	Candidates []string

	problem string
}

// refuse makes a Refusal of this position.
func (p *Position) refuse(reason Reason, text string, candidates ...Move) *Refusal {
	r := &Refusal{Reason: reason, Text: PublicMoveText(text), Candidates: []string{}}
	for _, m := range candidates[:min(len(candidates), MaxCandidates)] {
		r.Candidates = append(r.Candidates, p.SAN(m))
	}
	r.problem = p.problem(reason, text)
	return r
}

// Message says in one or two plain sentences, to the language model that sent
// the text, what was wrong and what is allowed.
func (r *Refusal) Message() string {
	var b strings.Builder
	b.WriteString(r.problem)
	if len(r.Candidates) > 0 {
		b.WriteString(" Legal moves you may have meant: ")
		b.WriteString(strings.Join(r.Candidates, ", "))
		b.WriteByte('.')
	} else {
		b.WriteString(` Send one of the legal moves, in SAN ("Nf3") or UCI ("g1f3").`)
	}
	return b.String()
}

// problem says what was wrong, as one sentence.
func (p *Position) problem(reason Reason, text string) string {
	shown := PublicMoveText(text)
	you := p.Turn()
	t, _ := readMovetext(text)
	switch reason {
	case Empty:
		return "The move is empty."
	case TooLong:
		return fmt.Sprintf("The move has %d bytes; at most %d are read, and only the move itself belongs there.", len(text), MaxMoveText)
	case Unreadable:
		return fmt.Sprintf("%q is not a move in SAN or UCI notation.", shown)
	case Ambiguous:
		return fmt.Sprintf("%q fits more than one legal move.", shown)
	case PromotionMissing:
		return fmt.Sprintf("%q takes a pawn to the last rank without naming the piece it becomes.", shown)
	case PromotionImpossible:
		return fmt.Sprintf("%q names a promotion that is not possible.", shown)
	case NoPiece:
		if t.file >= 0 && t.rank >= 0 {
			return fmt.Sprintf("%q moves from %s, which is empty.", shown, t.origin())
		}
		return fmt.Sprintf("%q moves a %s, and %s has none.", shown, t.kind, you)
	case NotYourPiece:
		return fmt.Sprintf("%q moves the piece on %s, which is not yours: you play %s.", shown, t.origin(), you)
	case WrongOrigin:
		return fmt.Sprintf("%q names an origin from which no %s of yours makes that move.", shown, t.kind)
	case NoCapture:
		return fmt.Sprintf("%q says x, but nothing is taken.", shown)
	case CaptureUnmarked:
		return fmt.Sprintf("%q is a pawn going straight ahead, which is not possible; a pawn that takes names its file.", shown)
	case NotEnPassant:
		return fmt.Sprintf("%q says e.p., but that is no en passant capture.", shown)
	case CastlingUnavailable:
		return fmt.Sprintf("%q is not possible: %s.", shown, p.castlingObstacle(t.castle))
	case LeavesKingInCheck:
		if p.inCheck {
			return fmt.Sprintf("%q does not get your king out of check.", shown)
		}
		return fmt.Sprintf("%q would leave your own king in check.", shown)
	}
	if len(p.legal) == 0 {
		return fmt.Sprintf("%q is not possible: the game is over and there is no legal move.", shown)
	}
	return fmt.Sprintf("%q is not legal: that piece cannot go to %s.", shown, SquareName(int(t.to)))
}

func (t *movetext) origin() string { return SquareName(int(t.rank)*8 + int(t.file)) }

// PublicMoveText returns at most 16 characters of what was sent as a move,
// with everything that moves are not written with replaced by '?'. An illegal
// try is public in this form only.
func PublicMoveText(text string) string {
	const most, alphabet = 16, "abcdefghknopqrxABCDEFGHKNOPQR0123456789=+#!?-/(). "
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		if b.Len() == most {
			break
		}
		if !strings.ContainsRune(alphabet, r) {
			r = '?'
		}
		b.WriteByte(byte(r))
	}
	return b.String()
}
