package archive

import (
	"context"
	"fmt"
	"strings"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// PGN returns a game in PGN's export format. The text depends on the game and on Site
// alone, so it is the same whenever and wherever it is made. A game in progress ends
// with "*" and the termination "unterminated", a void one with "*". Code: not_found.
func (a *Archive) PGN(ctx context.Context, id arena.GameID) (string, error) {
	r, err := a.record(ctx, id)
	if err != nil {
		return "", err
	}
	return a.write(&r)
}

func (a *Archive) record(ctx context.Context, id arena.GameID) (r record, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		r, err = readRecord(tx, id)
		return err
	})
	return r, err
}

func (a *Archive) write(r *record) (string, error) {
	replay, err := r.replay(len(r.moves))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	game := rules.Game{
		Tags:   a.tags(r),
		Start:  replay.StartPosition(),
		Moves:  replay.GameMoves(),
		Result: r.Result.PGN(),
	}
	annotate(&game, r.shifts())
	if err := rules.WritePGN(&b, &game); err != nil {
		return "", fmt.Errorf("game %s: %w", r.ID, err)
	}
	return b.String(), nil
}

// tags are the PGN's tag pairs: the standard's seven, its optional ones that are known
// here, and our own for what it has no word for. The writer adds Result, SetUp and FEN.
func (a *Archive) tags(r *record) []rules.Tag {
	created := r.Created.UTC()
	tags := []rules.Tag{
		{Name: "Event", Value: event(r)},
		{Name: "Round", Value: "-"},
		{Name: "Date", Value: created.Format("2006.01.02")},
		{Name: "UTCDate", Value: created.Format("2006.01.02")},
		{Name: "UTCTime", Value: created.Format("15:04:05")},
		{Name: "White", Value: player(r.Seats[rules.White])},
		{Name: "Black", Value: player(r.Seats[rules.Black])},
		{Name: "WhiteConfig", Value: string(r.Seats[rules.White].BucketKey)},
		{Name: "BlackConfig", Value: string(r.Seats[rules.Black].BucketKey)},
		{Name: "GameId", Value: string(r.ID)},
		{Name: "PlyCount", Value: fmt.Sprint(len(r.moves))},
		{Name: "Pace", Value: fmt.Sprintf("%gs a move, %gs bank, %gs cap", r.Pace.Soft.Seconds(), r.Pace.Bank.Seconds(), r.Pace.HardCap.Seconds())},
		{Name: "Termination", Value: r.Termination.PGN()},
	}
	if a.Site != "" {
		tags = append(tags, rules.Tag{Name: "Site", Value: a.Site + "/games/" + string(r.ID)})
	}
	if r.Open != nil {
		tags = append(tags, rules.Tag{Name: "ECO", Value: r.Open.ECO}, rules.Tag{Name: "Opening", Value: r.Open.Name})
	}
	if r.Termination != "" {
		tags = append(tags, rules.Tag{Name: "TerminationCode", Value: string(r.Termination)})
	}
	return tags
}

func event(r *record) string {
	if r.Rated {
		return "Arena rated game"
	}
	return "Arena unrated game"
}

// player is how a seat is named: who played, and with what.
func player(s arena.Seat) string { return fmt.Sprintf("%s (%s)", s.Nickname, s.Config.Model) }
