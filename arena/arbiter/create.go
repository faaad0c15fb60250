package arbiter

import (
	"crypto/rand"
	"errors"
	"fmt"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// Pairing is a game to be begun.
type Pairing struct {
	White, Black int64          // config ids
	Start        string         // FEN, or "" for the standard position
	Opening      *arena.Opening // nil for none
	Book         []string       // the opening's moves in UCI
	Rated        bool           // a nickname against itself is unrated all the same
	ID           arena.GameID   // "" draws one
}

// Create begins a game in tx and takes both configs out of the queue, since nobody waits
// while playing. ConfigNotFound when a config does not exist, InvalidFEN when the start
// is no position to play on from, store.ErrGameID when p.ID is in use.
func (a *Arbiter) Create(tx *store.Tx, p Pairing) (*arena.Game, error) {
	game := arena.Game{
		ID: p.ID, Kind: "chess", Status: arena.Active, Created: tx.Now(),
		Pace: a.settings.Pace(), Open: p.Opening, Book: len(p.Book),
	}
	for color, config := range map[rules.Color]int64{rules.White: p.White, rules.Black: p.Black} {
		s, err := seatFor(tx, config)
		if err != nil {
			return nil, err
		}
		game.Seats[color] = s
		if _, err := tx.Dequeue(config); err != nil {
			return nil, fmt.Errorf("take config %d out of the queue: %w", config, err)
		}
	}
	game.Rated = p.Rated && game.Seats[rules.White].NicknameID != game.Seats[rules.Black].NicknameID
	start := rules.Start()
	if p.Start != "" {
		var err error
		if start, err = rules.ParseFEN(p.Start); err != nil {
			return nil, arena.Errorf(arena.InvalidFEN, "This is no position to start from: %v.", err)
		}
	}
	if fen := start.FEN(); fen != rules.Start().FEN() {
		game.Start = fen
	}
	replay, err := rules.ReplayUCI(start, p.Book)
	if err != nil {
		return nil, fmt.Errorf("opening %v: %w", p.Book, err)
	}
	switch ending := replay.Ending(a.settings.MaxPlies); ending {
	case rules.Checkmate, rules.Stalemate, rules.InsufficientMaterial, rules.MaxPlies:
		// A high half-move clock is no hindrance: the first move may set it back.
		return nil, arena.Errorf(arena.InvalidFEN, "The game would be over before it begins: %s.", ending)
	}
	game.Clock = game.Pace.Start(tx.Now())
	if err := addGame(tx, &game, bookMoves(replay, game)); err != nil {
		return nil, fmt.Errorf("create game: %w", err)
	}
	if err := tx.AddEvent(&game, arena.NewEvent(tx.Now(), game.Ply, arena.EventCreated, a.created(&game, replay))); err != nil {
		return nil, fmt.Errorf("log the start of game %s: %w", game.ID, err)
	}
	if err := tx.Changed(store.NounGame, game.RowID); err != nil {
		return nil, fmt.Errorf("announce game %s: %w", game.ID, err)
	}
	tx.After(func() {
		a.deadlines.set(game.ID, flag(&game))
		a.hub.Wake(GamesTopic, Topic(game.ID), SeatTopic(p.White), SeatTopic(p.Black))
	})
	return &game, nil
}

// created is the first line of a game's log.
func (a *Arbiter) created(g *arena.Game, book *rules.Replay) arena.CreatedData {
	seat := func(c rules.Color) arena.SeatData {
		s := g.Seats[c]
		return arena.SeatData{Nickname: s.Nickname, Fingerprint: s.Fingerprint, BucketKey: s.BucketKey, Model: s.Config.Model}
	}
	return arena.CreatedData{
		GameID: g.ID, White: seat(rules.White), Black: seat(rules.Black),
		FEN: book.StartPosition().FEN(), Opening: g.Open, Book: book.UCIs(), Rated: g.Rated,
		SoftMS: g.Pace.Soft.Milliseconds(), BankMS: g.Pace.Bank.Milliseconds(), HardCapMS: g.Pace.HardCap.Milliseconds(),
		IllegalMax: a.settings.IllegalMax, MaxPlies: a.settings.MaxPlies,
	}
}

// addGame stores game, under a fresh id if it has none. Two ids drawn in one millisecond
// may be equal; then it draws again.
func addGame(tx *store.Tx, game *arena.Game, book []arena.Move) error {
	if game.ID != "" {
		return tx.AddGame(game, book)
	}
	for {
		id, err := arena.NewGameID(tx.Now(), rand.Reader)
		if err != nil {
			return err
		}
		game.ID = id
		if err := tx.AddGame(game, book); !errors.Is(err, store.ErrGameID) {
			return err
		}
	}
}

func seatFor(tx *store.Tx, config int64) (arena.Seat, error) {
	entry, err := tx.Entry(config)
	if err != nil {
		if arena.CodeOf(err) == arena.NotFound {
			return arena.Seat{}, arena.Errorf(arena.ConfigNotFound, "There is no configuration %d.", config).Because(err)
		}
		return arena.Seat{}, fmt.Errorf("config %d: %w", config, err)
	}
	owner, err := tx.Agent(entry.NicknameID)
	if err != nil {
		return arena.Seat{}, fmt.Errorf("owner of config %d: %w", config, err)
	}
	return arena.Seat{
		NicknameID: owner.ID, Nickname: owner.Nickname, Fingerprint: owner.Fingerprint,
		ConfigID: entry.ID, BucketID: entry.Bucket.ID, BucketKey: entry.Bucket.Key, Config: entry.Bucket.Config,
	}, nil
}

func bookMoves(replay *rules.Replay, game arena.Game) []arena.Move {
	sans := replay.SANs()
	moves := make([]arena.Move, len(sans))
	for i, uci := range replay.UCIs() {
		moves[i] = arena.Move{UCI: uci, SAN: sans[i], At: game.Created, Book: true}
	}
	return moves
}
