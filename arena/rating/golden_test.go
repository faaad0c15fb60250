package rating

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"chessarena/arena"
)

// digest hashes numbers bit by bit.
type digest struct{ bytes []byte }

func (d *digest) add(xs ...float64) {
	for _, x := range xs {
		d.bytes = binary.BigEndian.AppendUint64(d.bytes, math.Float64bits(x))
	}
}

func (d *digest) String() string {
	sum := sha256.Sum256(d.bytes)
	return hex.EncodeToString(sum[:8])
}

// TestEveryProcessorComputesTheSame compares all bits of long computations with what
// they were on amd64 without fused instructions. That the numbers are right is for the
// other tests; this one fails where a processor, a compiler or a change computes others.
// Stored ratings depend on them: whoever means to change a digest must think of
// `arena admin ratings recompute --check`. Inputs are made of integers, since the library's
// own functions may differ from one processor to the next.
func TestEveryProcessorComputesTheSame(t *testing.T) {
	t.Run("functions", func(t *testing.T) {
		var d digest
		for i := range 20_000 {
			x := float64(i-10_000) / 64
			d.add(exp(x), normal(x/16), logistic(x/8))
			d.add(log(float64(i+1) / 4096))
		}
		compare(t, &d, "208348eb17d80b0a")
	})
	t.Run("live ratings", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		players := make([]arena.Rating, 20)
		for i := range players {
			players[i] = arena.InitialRating
		}
		players[0] = Anchor(1320)
		var d digest
		for range 5000 {
			a, b := rng.IntN(20), rng.IntN(20)
			if a == b {
				continue
			}
			pa, pb := Idle(players[a], time.Duration(rng.IntN(1e6))*time.Second), players[b]
			d.add(Expected(pa, pb))
			players[a], players[b] = Update(pa, pb, float64(min(2, rng.IntN(3)+(b-a)/8))/2)
			d.add(players[a].R, players[a].RD, players[a].Vol, players[b].R, players[b].RD, players[b].Vol)
		}
		compare(t, &d, "dd0fd8d39aef0a37")
	})
	t.Run("refit", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 2))
		var in Input
		for id := range int64(60) {
			in.Buckets = append(in.Buckets, Bucket{ID: id, Anchor: id%10 == 0, Pin: float64(40 * id), Active: true})
		}
		for range 6000 {
			w, b := rng.Int64N(60), rng.Int64N(60)
			if w != b {
				score := float64(min(2, max(0, rng.Int64N(3)+(w-b)/20))) / 2
				in.Games = append(in.Games, Game{Side{w, rng.Int64N(4)}, Side{b, 9}, score})
			}
		}
		fit, err := Refit(in)
		if err != nil {
			t.Fatal(err)
		}
		var d digest
		d.add(fit.Prior.Mean, fit.Prior.SD, fit.White)
		for _, r := range fit.Rows {
			d.add(float64(r.Bucket), r.Rating, r.SE, r.CI95[0], r.CI95[1], float64(r.RankLo), float64(r.RankHi),
				r.OverNext, r.Score, r.Expected, r.EffGames, r.Surprise)
			for _, p := range r.Parts {
				d.add(float64(p.Nickname), p.Rating, p.SE)
			}
		}
		compare(t, &d, "1567cd7a57ac530d")
		if got := hex.EncodeToString(fit.Inputs[:8]); got != "0b261163f2a246c2" {
			t.Errorf("the inputs have the hash %s", got)
		}
	})
}

func compare(t *testing.T, d *digest, want string) {
	t.Helper()
	if got := d.String(); got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
}
