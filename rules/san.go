package rules

import "github.com/corentings/chess/v2"

// SAN returns m in standard algebraic notation as PGN's export format writes
// it: "Nbd7", "exd6", "O-O", "e8=Q+", "Qh4#". It panics if m is not legal
// here.
func (p *Position) SAN(m Move) string {
	p.mustBeLegal(m)
	var text [8]byte
	return string(p.appendSAN(text[:0], m))
}

func (p *Position) appendSAN(b []byte, m Move) []byte {
	b = p.appendUnmarkedSAN(b, m)
	if m.tags&tagCheck == 0 {
		return b
	}
	theirs := m.library()
	if p.board.Update(&theirs).Status() == chess.Checkmate {
		return append(b, '#')
	}
	return append(b, '+')
}

// appendPlayedSAN is appendSAN for a move that has been played: the position
// after it, which is there anyway, says whether it is mate.
func (p *Position) appendPlayedSAN(b []byte, m Move, after *Position) []byte {
	b = p.appendUnmarkedSAN(b, m)
	switch {
	case !after.inCheck:
		return b
	case len(after.legal) == 0:
		return append(b, '#')
	}
	return append(b, '+')
}

// appendUnmarkedSAN writes the move without its check or mate sign.
func (p *Position) appendUnmarkedSAN(b []byte, m Move) []byte {
	if m.tags&tagShort != 0 {
		return append(b, "O-O"...)
	}
	if m.tags&tagLong != 0 {
		return append(b, "O-O-O"...)
	}
	from := SquareName(int(m.from))
	piece := p.PieceOn(int(m.from))
	if piece.Kind == Pawn {
		if m.Capture() {
			b = append(b, from[0], 'x')
		}
	} else {
		b = append(b, piece.Kind.Letter())
		b = p.appendOrigin(b, m, piece)
		if m.Capture() {
			b = append(b, 'x')
		}
	}
	b = append(b, SquareName(int(m.to))...)
	if m.promotion != NoKind {
		b = append(b, '=', m.promotion.Letter())
	}
	return b
}

// appendOrigin writes as much of the origin square as tells the move from
// those of like pieces: the file if that is enough, else the rank, else both
// (PGN standard 8.2.3.4; FIDE appendix C.10).
func (p *Position) appendOrigin(b []byte, m Move, piece Piece) []byte {
	var rivals, sameFile, sameRank bool
	for _, other := range p.legal {
		if other.to != m.to || other.from == m.from || p.PieceOn(int(other.from)) != piece {
			continue
		}
		rivals = true
		sameFile = sameFile || other.from&7 == m.from&7
		sameRank = sameRank || other.from>>3 == m.from>>3
	}
	from := SquareName(int(m.from))
	if rivals && (sameRank || !sameFile) {
		b = append(b, from[0])
	}
	if sameFile {
		b = append(b, from[1])
	}
	return b
}
