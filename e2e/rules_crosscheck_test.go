package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/rules"
)

// The rules are compared with two other programs, which share no code with the
// library that package rules wraps: Stockfish for the legal moves, chess.js for
// SAN, FEN, check, mate, stalemate, material and repetition.

// score is a game to be played through on both sides of a comparison.
type score struct {
	FEN   string   `json:"fen"`
	Moves []string `json:"moves"`
}

// scores are all games of a file of real ones, and random games from positions
// that are rich in castling, promotion, en passant and checks. Together they
// have over 100,000 positions.
var scores = sync.OnceValues(func() ([]score, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/corentings/chess/v2").Output()
	if err != nil {
		return nil, fmt.Errorf("find the chess module: %w", err)
	}
	file, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "fixtures", "pgns", "big.pgn"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []score
	for g, err := range rules.ReadPGN(file) {
		if err != nil {
			return nil, err
		}
		s := score{FEN: rules.Start().FEN()}
		if g.Start != nil {
			s.FEN = g.Start.FEN()
		}
		for _, m := range g.Moves {
			s.Moves = append(s.Moves, m.Move.UCI())
		}
		list = append(list, s)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, fen := range []string{
		rules.Start().FEN(),
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
		"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
		"6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
	} {
		for range 40 {
			s, err := playRandomly(fen, 120, random)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
})

func playRandomly(fen string, plies int, random *rand.Rand) (score, error) {
	p, err := rules.ParseFEN(fen)
	s := score{FEN: fen}
	for err == nil && len(s.Moves) < plies {
		legal := p.Legal()
		if len(legal) == 0 {
			break
		}
		m := legal[random.IntN(len(legal))]
		s.Moves = append(s.Moves, m.UCI())
		p = p.Play(m)
	}
	return s, err
}

// tally is what the compared positions contained, so that a comparison of
// nothing much does not pass.
type tally struct {
	positions, moves, checks, mates, stalemates, material, threefold, castlings, promotions, enPassant int
}

func (n *tally) count(r *rules.Replay) {
	p := r.Position()
	n.positions++
	if p.InCheck() {
		n.checks++
	}
	switch r.Ending(0) {
	case rules.Checkmate:
		n.mates++
	case rules.Stalemate:
		n.stalemates++
	case rules.InsufficientMaterial:
		n.material++
	}
	if r.RepetitionCount() >= 3 {
		n.threefold++
	}
	for _, san := range p.LegalSAN() {
		n.moves++
		switch {
		case strings.HasPrefix(san, "O-O"):
			n.castlings++
		case strings.Contains(san, "="):
			n.promotions++
		}
	}
	if enPassantSquare(p) != "-" {
		n.enPassant++
	}
}

// enPassantSquare is the square if a pawn can legally take there, else "-": the
// form in which chess.js writes it.
func enPassantSquare(p *rules.Position) string {
	field := strings.Fields(p.FEN())[3]
	for _, m := range p.Legal() {
		if rules.SquareName(m.To()) == field && p.PieceOn(m.From()).Kind == rules.Pawn {
			return field
		}
	}
	return "-"
}

// compare walks through all games and calls check in every position with the
// other program's next lines, which ask has made it print.
func compare(t *testing.T, program *exec.Cmd, ask func(io.Writer, []score) error, check func(*rules.Replay, *bufio.Scanner) error) {
	t.Helper()
	list, err := scores()
	if err != nil {
		t.Fatal(err)
	}
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	program.Stderr = os.Stderr
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	asked := make(chan error, 1)
	go func() {
		buffered := bufio.NewWriter(in)
		err := ask(buffered, list)
		if err == nil {
			err = buffered.Flush()
		}
		in.Close()
		asked <- err
	}()
	var n tally
	lines := bufio.NewScanner(out)
	for _, s := range list {
		start, err := rules.ParseFEN(s.FEN)
		if err != nil {
			t.Fatal(err)
		}
		r := rules.NewReplay(start)
		for ply := 0; ; ply++ {
			n.count(r)
			if err := check(r, lines); err != nil {
				t.Fatalf("game from %s, ply %d, %s: %v", s.FEN, ply, r.Position().FEN(), err)
			}
			if ply == len(s.Moves) {
				break
			}
			m, refusal := r.Position().Resolve(s.Moves[ply])
			if refusal != nil {
				t.Fatal(refusal.Message())
			}
			r = r.Push(m)
		}
	}
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	if err := program.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("compared: %+v", n)
	if n.positions < 100_000 {
		t.Errorf("only %d positions were compared", n.positions)
	}
	if n.checks == 0 || n.mates == 0 || n.stalemates == 0 || n.material == 0 || n.threefold == 0 || n.castlings == 0 || n.promotions == 0 || n.enPassant == 0 {
		t.Error("something never occurred")
	}
}

func TestLegalMovesAreStockfishs(t *testing.T) {
	stockfish := needs(t, "stockfish", "/usr/games/stockfish")
	compare(t, exec.CommandContext(t.Context(), stockfish),
		func(w io.Writer, list []score) error {
			for _, s := range list {
				for ply := range len(s.Moves) + 1 {
					fmt.Fprintf(w, "position fen %s moves %s\ngo perft 1\n", s.FEN, strings.Join(s.Moves[:ply], " "))
				}
			}
			_, err := io.WriteString(w, "quit\n")
			return err
		},
		func(r *rules.Replay, lines *bufio.Scanner) error {
			var theirs []string
			for lines.Scan() {
				move, one, ok := strings.Cut(lines.Text(), ": ")
				if ok && move == "Nodes searched" {
					slices.Sort(theirs)
					if ours := r.Position().LegalUCI(); !slices.Equal(theirs, ours) {
						return fmt.Errorf("legal moves (-Stockfish +rules):\n%s", cmp.Diff(theirs, ours))
					}
					return nil
				}
				if ok && one == "1" {
					theirs = append(theirs, move)
				}
			}
			return fmt.Errorf("Stockfish stopped: %w", io.ErrUnexpectedEOF)
		})
}

func TestNotationAndEndingsAreChessJSs(t *testing.T) {
	node := needs(t, "node")
	needsPackage(t, "chess.js")
	script := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "rules", "chessjs.mjs"))
	compare(t, script,
		func(w io.Writer, list []score) error {
			encoder := json.NewEncoder(w)
			for _, s := range list {
				if s.Moves == nil {
					s.Moves = []string{}
				}
				if err := encoder.Encode(s); err != nil {
					return err
				}
			}
			return nil
		},
		func(r *rules.Replay, lines *bufio.Scanner) error {
			if !lines.Scan() {
				return fmt.Errorf("chess.js stopped: %w", io.ErrUnexpectedEOF)
			}
			fields := strings.Split(lines.Text(), "\t")
			p := r.Position()

			ourFEN := strings.Fields(p.FEN())
			ourFEN[3] = enPassantSquare(p)
			if got := strings.Join(ourFEN, " "); got != fields[0] {
				return fmt.Errorf("FEN is %s, chess.js has %s", got, fields[0])
			}
			if got := flags(r); got != fields[1] {
				return fmt.Errorf("flags are %q, chess.js has %q", got, fields[1])
			}
			theirs, ours := strings.Fields(fields[2]), p.LegalSAN()
			slices.Sort(theirs)
			slices.Sort(ours)
			if !slices.Equal(theirs, ours) {
				return fmt.Errorf("legal moves (-chess.js +rules):\n%s", cmp.Diff(theirs, ours))
			}
			return nil
		})
}

// flags are the words that testdata/rules/chessjs.mjs prints.
func flags(r *rules.Replay) string {
	p := r.Position()
	var words []string
	if p.InCheck() {
		words = append(words, "check")
	}
	switch r.Ending(0) {
	case rules.Checkmate:
		words = append(words, "checkmate")
	case rules.Stalemate:
		words = append(words, "stalemate")
	case rules.InsufficientMaterial:
		words = append(words, "material")
	}
	if r.RepetitionCount() >= 3 {
		words = append(words, "threefold")
	}
	return strings.Join(words, " ")
}
