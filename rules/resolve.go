package rules

import (
	"slices"
	"strings"
)

// Resolve finds the one legal move that a text means. It reads SAN, long
// algebraic notation and UCI with the liberties that rules.md lists, and never
// guesses: every fact in the text must be true of the move (a wrong origin, a
// false x or a false e.p. is refused), and if more than one legal move fits,
// none is played. On success the Refusal is nil, else the Move is zero.
//
// Any string is safe to pass; texts over MaxMoveText are not read at all.
func (p *Position) Resolve(text string) (Move, *Refusal) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return Move{}, p.refuse(Empty, text)
	case len(text) > MaxMoveText:
		return Move{}, p.refuse(TooLong, text)
	}
	t, ok := readMovetext(text)
	if !ok {
		return Move{}, p.refuse(Unreadable, text)
	}
	var found Move
	count := 0
	for _, m := range p.legal {
		if m.promotion == t.promotion && p.fits(m, &t) {
			found = m
			count++
		}
	}
	if count != 1 {
		return Move{}, p.explain(&t, text)
	}
	return found, nil
}

// fits says whether every fact of t except the promotion is true of m.
func (p *Position) fits(m Move, t *movetext) bool {
	if t.castle != 0 {
		return m.tags&t.castle != 0
	}
	if !p.fitsPath(m, t) {
		return false
	}
	return (!t.takes || m.Capture()) && (!t.enPassant || m.tags&tagEnPassant != 0)
}

// fitsPath says whether m moves the piece that t names between the squares
// that t names.
func (p *Position) fitsPath(m Move, t *movetext) bool {
	if !t.fitsOrigin(m) {
		return false
	}
	if m.tags&tagCastle != 0 {
		return t.coordinates && (m.to == t.to || m.rookSquare() == t.to)
	}
	return m.to == t.to && (t.coordinates || t.kind == p.PieceOn(int(m.from)).Kind && !t.hidesCapture(m))
}

func (t *movetext) fitsOrigin(m Move) bool {
	return (t.file < 0 || uint8(t.file) == m.from&7) && (t.rank < 0 || uint8(t.rank) == m.from>>3)
}

// hidesCapture says that t reads as a pawn going straight ahead while m takes
// sideways: "e5" never means dxe5.
func (t *movetext) hidesCapture(m Move) bool {
	return t.kind == Pawn && t.file < 0 && !t.takes && m.Capture()
}

// rookSquare returns where the rook stands before a castling move. Programs
// that also play Fischer's random chess write castling as the king taking that
// rook: e1h1.
func (m Move) rookSquare() uint8 {
	if m.tags&tagLong != 0 {
		return m.from - 4
	}
	return m.from + 3
}

// matching returns the moves of a list for which fits holds, promotion aside.
func (p *Position) matching(moves []Move, t *movetext) []Move {
	var found []Move
	for _, m := range moves {
		if p.fits(m, t) {
			found = append(found, m)
		}
	}
	return found
}

// explain says why no single legal move fits t. It drops one fact after the
// other and blames the first whose absence makes a legal move fit.
func (p *Position) explain(t *movetext, text string) *Refusal {
	fits := p.matching(p.legal, t)
	exact := slices.DeleteFunc(slices.Clone(fits), func(m Move) bool { return m.promotion != t.promotion })
	switch {
	case len(exact) > 1:
		return p.refuse(Ambiguous, text, exact...)
	case len(fits) > 0 && t.promotion == NoKind:
		return p.refuse(PromotionMissing, text, fits...)
	case len(fits) > 0:
		return p.refuse(PromotionImpossible, text, fits...)
	case t.castle != 0:
		return p.refuse(CastlingUnavailable, text)
	}
	if reason := p.blameOrigin(t); reason != "" {
		return p.refuse(reason, text)
	}
	if looser := *t; t.takes || t.enPassant {
		looser.takes, looser.enPassant = false, false
		if fits := p.matching(p.legal, &looser); len(fits) > 0 && t.enPassant {
			return p.refuse(NotEnPassant, text, fits...)
		} else if len(fits) > 0 {
			return p.refuse(NoCapture, text, fits...)
		}
	}
	if t.kind == Pawn && t.file < 0 && !t.takes {
		looser := *t
		looser.takes = true
		if fits := p.matching(p.legal, &looser); len(fits) > 0 {
			return p.refuse(CaptureUnmarked, text, fits...)
		}
	}
	if looser := *t; !t.coordinates && (t.file >= 0 || t.rank >= 0) {
		looser.file, looser.rank = -1, -1
		if fits := p.matching(p.legal, &looser); len(fits) > 0 {
			return p.refuse(WrongOrigin, text, fits...)
		}
	}
	if len(p.matching(p.exposing(), t)) > 0 {
		return p.refuse(LeavesKingInCheck, text)
	}
	return p.refuse(Illegal, text, p.sameMan(t)...)
}

// blameOrigin refuses a text that names an empty square, the opponent's man,
// or a kind of piece the mover does not have there or at all.
func (p *Position) blameOrigin(t *movetext) Reason {
	if t.file < 0 || t.rank < 0 {
		for _, piece := range p.Board() {
			if piece == (Piece{p.Turn(), t.kind}) {
				return ""
			}
		}
		return NoPiece
	}
	switch piece := p.PieceOn(int(t.rank)*8 + int(t.file)); {
	case piece.Kind == NoKind:
		return NoPiece
	case piece.Color != p.Turn():
		return NotYourPiece
	case !t.coordinates && piece.Kind != t.kind:
		return WrongOrigin
	}
	return ""
}

// exposing returns the moves that would be legal if they did not leave the
// mover's own king attacked.
func (p *Position) exposing() []Move {
	board := p.board
	theirs := board.UnsafeMoves()
	moves := make([]Move, len(theirs))
	for i := range theirs {
		moves[i] = fromLibraryMove(&theirs[i])
	}
	return moves
}

// sameMan returns the legal moves of the men that t may mean, wherever they
// go.
func (p *Position) sameMan(t *movetext) []Move {
	var moves []Move
	for _, m := range p.legal {
		if t.fitsOrigin(m) && (t.coordinates || p.PieceOn(int(m.from)).Kind == t.kind) {
			moves = append(moves, m)
		}
	}
	return moves
}

// castlingObstacle says in words why the side to move cannot castle on one
// side (FIDE article 3.8.2).
func (p *Position) castlingObstacle(castle uint8) string {
	board := p.Board()
	side, letter, rook, crossed := "kingside", "K", uint8(7), []uint8{5, 6}
	if castle == tagLong {
		side, letter, rook, crossed = "queenside", "Q", 0, []uint8{3, 2}
	}
	home := uint8(0)
	if p.Turn() == Black {
		home, letter = 56, strings.ToLower(letter)
	}
	if !strings.Contains(p.CastlingRights(), letter) {
		return "you no longer have the right to castle " + side
	}
	for sq := min(home+rook, home+4) + 1; sq < max(home+rook, home+4); sq++ {
		if board[sq].Kind != NoKind {
			return SquareName(int(sq)) + " is not empty"
		}
	}
	if p.inCheck {
		return "your king is in check"
	}
	for _, sq := range crossed {
		if attacked(&board, home+sq, p.Turn().Other()) {
			return "your king would be attacked on " + SquareName(int(home+sq))
		}
	}
	return ""
}
