package arena

import "time"

// Opponents says whom a waiting configuration is willing to play (contract, join_queue).
type Opponents string

// The filters. An anchor is a house player of known strength.
const (
	AnyOpponents Opponents = "any"
	AgentsOnly   Opponents = "agents_only"
	AnchorsOnly  Opponents = "anchors_only"
)

// ParseOpponents reads a filter; "" is AnyOpponents. InvalidOpponents when it is none.
func ParseOpponents(text string) (Opponents, error) {
	switch o := Opponents(text); o {
	case "":
		return AnyOpponents, nil
	case AnyOpponents, AgentsOnly, AnchorsOnly:
		return o, nil
	}
	return "", Errorf(InvalidOpponents, "opponents must be %s, %s or %s, not %s.", AnyOpponents, AgentsOnly, AnchorsOnly, Quote(text))
}

// AnchorProvider is the provider that house players are registered under.
const AnchorProvider = "anchor"

// Waiter is a configuration in the queue, with what pairing has to know of it.
type Waiter struct {
	ConfigID   int64
	NicknameID int64
	BucketID   int64
	Nickname   AgentStatus // whether the nickname may still play
	Since      time.Time   // when it joined
	Opponents  Opponents
	Rating     Rating // live, on the track of all games
	Anchor     bool   // it waits itself, yet it is what AgentsOnly does not want
	// Games are those the bucket finished, AnchorGames how many of them were against a
	// pinned bucket.
	Games, AnchorGames int
	Colors             Colors
}
