package web

import (
	"slices"
	"strconv"

	"chessarena/arena"
	"chessarena/rules"
)

// moveRow is one line of the score sheet.
type moveRow struct {
	Number       int
	White, Black halfMove
}

// halfMove is one ply as a link to its position. A row that Black begins has a gap in
// White's place.
type halfMove struct {
	SAN, Path, Time, Gap string
	Slow, Current        bool // past the soft deadline; the position shown
}

func (s scoreSheet) rows() []moveRow {
	var rows []moveRow
	for i, m := range s.Moves {
		number, by := s.numbers.at(i + 1)
		if by == rules.White || i == 0 {
			rows = append(rows, moveRow{Number: number})
		}
		half := halfMove{
			SAN: m.SAN, Path: s.path(i+1, s.flip), Time: thought(m.ThinkMS),
			Slow: m.OverSoft, Current: i+1 == s.Position.Ply,
		}
		if m.Book {
			half.Time = "book"
		}
		row := &rows[len(rows)-1]
		if by == rules.White {
			row.White = half
			continue
		}
		if row.White.SAN == "" {
			row.White.Gap = "…"
		}
		row.Black = half
	}
	return rows
}

// facts are the game's conditions.
func (s scoreSheet) facts() []fact {
	played := when(s.Created).Human
	if s.Finished != nil {
		end := s.Finished.Format("15:04")
		if s.Finished.Format("2 Jan 2006") != s.Created.Format("2 Jan 2006") {
			end = when(*s.Finished).Human
		}
		played += " – " + end
	}
	list := []fact{{"Played", played}}
	if s.Opening != nil {
		list = append(list, fact{"Opening", s.Opening.ECO + " " + s.Opening.Name})
	}
	if s.BookPlies > 0 {
		list = append(list, fact{"Book", "the first " + plies(s.BookPlies)})
	}
	if s.Start != nil {
		list = append(list, fact{"Start", *s.Start})
	}
	list = append(list, fact{"Time", span(s.Pace.Soft) + " a move, then a bank of " + span(s.Pace.Bank) + "; no move over " + span(s.Pace.HardCap)})
	if s.Clock != nil {
		list = append(list, fact{"Deadline", s.Clock.SoftDeadlineAt.Format("15:04:05") + ", then the bank; forfeit at " + s.Clock.ForfeitAt.Format("15:04:05")})
	}
	for _, shift := range s.Shifts {
		at := "before the first move"
		if shift.Ply > 0 {
			at = "after " + s.moveName(shift.Ply)
		}
		list = append(list, fact{"Clock", shift.Words + ", " + at})
	}
	list = append(list, fact{"Rated", s.rated()})
	for _, c := range []rules.Color{rules.White, rules.Black} {
		seat := s.Seat(c)
		list = append(list, fact{sideName(c), string(seat.Nickname) + ", fingerprint " + string(seat.Fingerprint) + ", harness " + seat.Harness})
	}
	return list
}

func (s scoreSheet) rated() string {
	switch {
	case s.Status == arena.Void:
		return "no, the game is void"
	case !s.Rated:
		return "no"
	}
	return "yes"
}

// this is what is known of the move shown.
func (s scoreSheet) this() []fact {
	if s.Position.Ply == 0 {
		return nil
	}
	m := s.Moves[s.Position.Ply-1]
	if m.Book {
		return []fact{{"Move", m.UCI}, {"From", "the opening book; nobody thought about it"}}
	}
	list := []fact{{"Move", m.UCI}, {"Thinking time", thought(m.ThinkMS)}}
	if m.OverSoft {
		list = append(list, fact{"Clock", "past the soft deadline"})
	}
	return append(list, fact{"Illegal attempts", strconv.Itoa(m.Illegal)}, fact{"At", m.At.Format("2 Jan 2006, 15:04:05")})
}

// compare sets both sides' play side by side, book moves left out.
func (s scoreSheet) compare() []comparison {
	var thinking [2][]int64
	var illegal, over [2]int
	for i, m := range s.Moves {
		if m.Book {
			continue
		}
		_, by := s.numbers.at(i + 1)
		thinking[by] = append(thinking[by], m.ThinkMS)
		illegal[by] += m.Illegal
		if m.OverSoft {
			over[by]++
		}
	}
	_, next := s.numbers.at(len(s.Moves) + 1)
	illegal[next] += s.Illegal
	both := func(name string, f func(rules.Color) string) comparison {
		return comparison{name, f(rules.White), f(rules.Black)}
	}
	return []comparison{
		both("Moves of its own", func(c rules.Color) string { return strconv.Itoa(len(thinking[c])) }),
		both("Median move", func(c rules.Color) string { return median(thinking[c]) }),
		both("Longest move", func(c rules.Color) string { return longest(thinking[c]) }),
		both("Over the soft deadline", func(c rules.Color) string { return strconv.Itoa(over[c]) }),
		both("Illegal attempts", func(c rules.Color) string { return strconv.Itoa(illegal[c]) }),
	}
}

const none = "–"

func median(ms []int64) string {
	if len(ms) == 0 {
		return none
	}
	ms = slices.Sorted(slices.Values(ms))
	middle := ms[len(ms)/2]
	if len(ms)%2 == 0 {
		middle = (middle + ms[len(ms)/2-1]) / 2
	}
	return thought(middle)
}

func longest(ms []int64) string {
	if len(ms) == 0 {
		return none
	}
	return thought(slices.Max(ms))
}
