package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chessarena/arena"
	"chessarena/arena/archive"
	"chessarena/rules"
)

// moment is a time as a page shows it.
type moment struct{ Machine, Human string }

func when(t time.Time) moment {
	t = t.UTC()
	return moment{Machine: t.Format(time.RFC3339), Human: t.Format("2 Jan 2006, 15:04")}
}

// clockTime writes a time left: "6:21", "1:05:00"; less than nothing is "0:00".
func clockTime(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// thought writes a thinking time: "0.4s", "31s", "2:05".
func thought(ms int64) string {
	switch {
	case ms < 950:
		return strconv.FormatFloat(float64(ms)/1000, 'f', 1, 64) + "s"
	case ms < 120_000:
		return strconv.FormatInt((ms+500)/1000, 10) + "s"
	}
	return clockTime(time.Duration(ms) * time.Millisecond)
}

// span writes a setting in words a person would use: "20 minutes", "90 seconds".
func span(seconds float64) string {
	unit, n := "second", seconds
	if seconds >= 120 && seconds == float64(int64(seconds/60)*60) {
		unit, n = "minute", seconds/60
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + unit
}

// count writes a number with commas between thousands.
func count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

func plies(n int) string {
	if n == 1 {
		return "ply"
	}
	return count(n) + " plies"
}

// score is the result as a list shows it.
func score(s *archive.Summary) string {
	switch {
	case s.Status == arena.Active:
		return "live"
	case s.Status == arena.Void || s.Result == nil:
		return "void"
	case *s.Result == arena.Draw:
		return "½–½"
	}
	return strings.ReplaceAll(string(*s.Result), "-", "–")
}

func won(s *archive.Summary, c rules.Color) bool {
	return s.Status == arena.Finished && s.Result != nil && *s.Result == arena.WinFor(c)
}

// setUp says who plays and with which configuration, in the order of the config's
// members: "quietrook · northwind · effort high".
func setUp(s *archive.SeatView) string {
	parts := []string{string(s.Nickname), s.Provider}
	if s.Effort != nil {
		parts = append(parts, "effort "+s.Effort.String())
	}
	if s.Temperature != nil {
		parts = append(parts, "temp "+strconv.FormatFloat(*s.Temperature, 'f', -1, 64))
	}
	if s.Quantization != nil {
		parts = append(parts, *s.Quantization)
	}
	if s.ContextWindow != nil {
		parts = append(parts, strconv.FormatInt(*s.ContextWindow, 10)+" context")
	}
	if s.ToolsAllowed != nil && *s.ToolsAllowed {
		parts = append(parts, "tools")
	}
	if s.Finetuned != nil && *s.Finetuned {
		parts = append(parts, "fine-tuned")
	}
	return strings.Join(parts, " · ")
}

func sideName(c rules.Color) string {
	if c == rules.White {
		return "White"
	}
	return "Black"
}

// numbering tells which number a ply has on a score sheet; it depends on the position
// the game began from.
type numbering struct {
	number int // of the first move
	first  rules.Color
}

func numberingOf(v *archive.GameView) numbering {
	if v.Start != nil {
		if p, err := rules.ParseFEN(*v.Start); err == nil {
			return numbering{p.FullMove(), p.Turn()}
		}
	}
	return numbering{1, rules.White}
}

// at returns the number of a ply, from 1, and whose move it is.
func (n numbering) at(ply int) (number int, by rules.Color) {
	half := ply - 1 + int(n.first)
	return n.number + half/2, rules.Color(half % 2)
}

// name writes a ply as a book prints it, "22. e6" or "22… Qc7"; ply 0 is the start.
func (n numbering) name(ply int, san string) string {
	if ply == 0 {
		return "Start"
	}
	number, by := n.at(ply)
	if by == rules.White {
		return fmt.Sprintf("%d. %s", number, san)
	}
	return fmt.Sprintf("%d… %s", number, san)
}

// moves counts plies as people count moves.
func moves(plies int) int { return (plies + 1) / 2 }
