package rules

// steps are the files and ranks a piece moves by, each list once.
var (
	straight = [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	diagonal = [][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	leaps    = [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// attacked says whether a side attacks a square (FIDE article 3.1.2: a piece
// attacks even when it is pinned). The library has no public answer to this;
// it is needed to judge a FEN and to explain a refused castling.
func attacked(board *[64]Piece, sq uint8, by Color) bool {
	for _, step := range leaps {
		if to, ok := shift(sq, step); ok && board[to] == (Piece{by, Knight}) {
			return true
		}
	}
	pawnRank := -1 // a white pawn attacks from below
	if by == Black {
		pawnRank = 1
	}
	for _, file := range []int{-1, 1} {
		if to, ok := shift(sq, [2]int{file, pawnRank}); ok && board[to] == (Piece{by, Pawn}) {
			return true
		}
	}
	return slides(board, sq, straight, Piece{by, Rook}) || slides(board, sq, diagonal, Piece{by, Bishop})
}

// slides looks along lines for the first piece, which attacks if it is the
// slider given, a queen of that color, or the king one step away.
func slides(board *[64]Piece, sq uint8, lines [][2]int, slider Piece) bool {
	for _, step := range lines {
		to, ok := shift(sq, step)
		for near := true; ok; near = false {
			piece := board[to]
			if piece.Kind != NoKind {
				if piece == slider || piece == (Piece{slider.Color, Queen}) || near && piece == (Piece{slider.Color, King}) {
					return true
				}
				break
			}
			to, ok = shift(to, step)
		}
	}
	return false
}

// shift returns the square one step away, and whether it is on the board.
func shift(sq uint8, step [2]int) (uint8, bool) {
	file, rank := int(sq&7)+step[0], int(sq>>3)+step[1]
	return uint8(8*rank + file), 0 <= file && file < 8 && 0 <= rank && rank < 8
}
