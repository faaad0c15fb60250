package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/corentings/chess/v2"
)

// MaxFEN is the longest FEN that is looked at, in bytes. The longest legal one
// is a little under 90.
const MaxFEN = 128

// FENError says which field of a FEN is wrong and why, in a sentence that may
// be shown to whoever sent it.
type FENError struct {
	Field  string // "length", "fields", "board", "turn", "castling", "en passant", "half-move clock", "move number" or "position"
	Reason string
}

func (e *FENError) Error() string { return "FEN: " + e.Field + ": " + e.Reason }

// ParseFEN reads a position in Forsyth-Edwards notation: six fields, or the
// first four (the counters are then 0 and 1). It refuses, with a *FENError,
// whatever could not stand on a board in a game that began with sixteen men a
// side: missing or extra kings, more men than promotions explain, pawns on the
// last ranks, castling rights without king and rook at home, an en passant
// square that no double step left, and a side to move that could take the
// king. A position where the game is over is accepted.
//
// Castling letters are put in the order KQkq, so equal positions have equal
// FENs.
func ParseFEN(fen string) (*Position, error) {
	if len(fen) > MaxFEN {
		return nil, &FENError{"length", fmt.Sprintf("a FEN has at most %d bytes", MaxFEN)}
	}
	fields := strings.Fields(fen)
	switch len(fields) {
	case 4:
		fields = append(fields, "0", "1")
	case 6:
	default:
		return nil, &FENError{"fields", fmt.Sprintf("a FEN has 6 fields, or 4 without the counters; this has %d", len(fields))}
	}
	s, err := readSetup(fields)
	if err != nil {
		return nil, err
	}
	fields[2] = s.castling
	return decode(strings.Join(fields, " "), s.inCheck())
}

// decode lets the library decode a FEN that has been found sound. Its decoder
// is known to panic on unsound ones; should it still do so, the caller gets an
// error all the same.
func decode(fen string, inCheck bool) (p *Position, err error) {
	defer func() {
		if recover() != nil {
			p, err = nil, &FENError{"position", "this position cannot be set up"}
		}
	}()
	var board chess.Position
	if board.UnmarshalText([]byte(fen)) != nil {
		return nil, &FENError{"position", "this position cannot be set up"}
	}
	return newPosition(board, inCheck), nil
}

// setup is a FEN taken apart, with what the checks of one field need from
// another.
type setup struct {
	board    [64]Piece
	turn     Color
	castling string
	kings    [2]uint8
}

func (s *setup) inCheck() bool { return attacked(&s.board, s.kings[s.turn], s.turn.Other()) }

// readSetup checks six fields in order, then the position as a whole.
func readSetup(fields []string) (*setup, error) {
	s := &setup{}
	if reason := s.readBoard(fields[0]); reason != "" {
		return nil, &FENError{"board", reason}
	}
	switch fields[1] {
	case "w":
		s.turn = White
	case "b":
		s.turn = Black
	default:
		return nil, &FENError{"turn", "the side to move is w or b"}
	}
	if reason := s.readCastling(fields[2]); reason != "" {
		return nil, &FENError{"castling", reason}
	}
	if reason := s.checkEnPassant(fields[3]); reason != "" {
		return nil, &FENError{"en passant", reason}
	}
	if !isCounter(fields[4], 0) {
		return nil, &FENError{"half-move clock", "must be a whole number from 0 to 9999"}
	}
	if !isCounter(fields[5], 1) {
		return nil, &FENError{"move number", "must be a whole number from 1 to 9999"}
	}
	if attacked(&s.board, s.kings[s.turn.Other()], s.turn) {
		return nil, &FENError{"position", "the side to move could take the king"}
	}
	return s, nil
}

// isCounter wants plain digits without a leading zero, so that FENs of equal
// positions are equal texts.
func isCounter(text string, least int) bool {
	n, err := strconv.Atoi(text)
	return err == nil && least <= n && n <= 9999 && strconv.Itoa(n) == text
}

// readBoard fills the board from the first field and counts the men. It
// returns what is wrong, or "".
func (s *setup) readBoard(text string) string {
	ranks := strings.Split(text, "/")
	if len(ranks) != 8 {
		return fmt.Sprintf("a board has 8 ranks divided by /; this has %d", len(ranks))
	}
	var men [2][Pawn + 1]int
	for i, row := range ranks {
		rank, file, afterDigit := 7-i, 0, false
		for _, b := range []byte(row) {
			if '1' <= b && b <= '8' && !afterDigit {
				file, afterDigit = file+int(b-'0'), true
				continue
			}
			piece := Piece{White, kindOf(b)}
			if piece.Kind == NoKind {
				piece = Piece{Black, kindOf(b - 0x20)}
			}
			if piece.Kind == NoKind {
				return fmt.Sprintf("rank %d may hold only the letters KQRBNPkqrbnp and single digits 1 to 8", rank+1)
			}
			if file > 7 {
				return fmt.Sprintf("rank %d does not add up to 8 squares", rank+1)
			}
			if piece.Kind == Pawn && (rank == 0 || rank == 7) {
				return "a pawn cannot stand on rank 1 or 8"
			}
			sq := 8*rank + file
			s.board[sq] = piece
			men[piece.Color][piece.Kind]++
			if piece.Kind == King {
				s.kings[piece.Color] = uint8(sq)
			}
			file, afterDigit = file+1, false
		}
		if file != 8 {
			return fmt.Sprintf("rank %d does not add up to 8 squares", rank+1)
		}
	}
	for _, c := range []Color{White, Black} {
		if reason := checkMen(c, &men[c]); reason != "" {
			return reason
		}
	}
	return ""
}

// checkMen refuses an army that eight promotions cannot explain. This also
// keeps the move count within the library's fixed arrays.
func checkMen(c Color, men *[Pawn + 1]int) string {
	if men[King] != 1 {
		return fmt.Sprintf("%s has %d kings and needs exactly 1", c, men[King])
	}
	if men[Pawn] > 8 {
		return fmt.Sprintf("%s has %d pawns and may have at most 8", c, men[Pawn])
	}
	promoted := max(0, men[Queen]-1) + max(0, men[Rook]-2) + max(0, men[Bishop]-2) + max(0, men[Knight]-2)
	if promoted > 8-men[Pawn] {
		return fmt.Sprintf("%s has %d promoted pieces but only %d missing pawns", c, promoted, 8-men[Pawn])
	}
	return ""
}

// readCastling accepts any order of distinct letters and stores the usual one.
func (s *setup) readCastling(text string) string {
	if text == "-" {
		s.castling = "-"
		return ""
	}
	if strings.Trim(text, "KQkq") != "" {
		return "must be - or letters of KQkq"
	}
	rights := [4]struct {
		letter string
		color  Color
		rook   uint8
	}{{"K", White, 7}, {"Q", White, 0}, {"k", Black, 63}, {"q", Black, 56}}
	for _, right := range rights {
		switch strings.Count(text, right.letter) {
		case 0:
			continue
		case 1:
		default:
			return "each letter may appear once"
		}
		home := 4 + 56*uint8(right.color)
		if s.kings[right.color] != home || s.board[right.rook] != (Piece{right.color, Rook}) {
			return fmt.Sprintf("%s needs the king on %s and a rook on %s",
				right.letter, SquareName(int(home)), SquareName(int(right.rook)))
		}
		s.castling += right.letter
	}
	return ""
}

// checkEnPassant wants a square that a double step has just passed: on the
// right rank, empty, with the pawn in front of it and nothing behind.
func (s *setup) checkEnPassant(text string) string {
	if text == "-" {
		return ""
	}
	sq, ok := SquareIndex(text)
	if !ok {
		return "must be - or a square such as e3"
	}
	rank, forward := 5, -8 // White to move: Black's pawn came down past rank 6
	if s.turn == Black {
		rank, forward = 2, 8
	}
	if sq/8 != rank {
		return fmt.Sprintf("with %s to move the square is on rank %d", s.turn, rank+1)
	}
	if s.board[sq].Kind != NoKind || s.board[sq-forward].Kind != NoKind ||
		s.board[sq+forward] != (Piece{s.turn.Other(), Pawn}) {
		return fmt.Sprintf("no pawn can have just stepped over %s", text)
	}
	return ""
}
