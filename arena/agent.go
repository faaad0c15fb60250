package arena

import "time"

// AgentStatus says whether a nickname may act.
type AgentStatus string

// The statuses of a nickname.
const (
	AgentActive  AgentStatus = "active"
	AgentFrozen  AgentStatus = "frozen"
	AgentDormant AgentStatus = "dormant"
)

// Agent is the owner of a nickname, as a call is made in its name. The zero Agent is
// an anonymous caller.
type Agent struct {
	ID            int64
	Nickname      Nickname
	Fingerprint   Fingerprint
	KeyGeneration int // raised when the key is replaced or the nickname frozen
	Status        AgentStatus
	Created       time.Time
	LastSeen      time.Time // last authenticated call, to the hour
	Record        Record
	Streak        Streak
}

// Bucket is what shares a rating: every config with the same members but notes.
type Bucket struct {
	ID     int64
	Key    BucketKey
	Config Config // without notes
	All    Rating
	Board  Rating
	Pinned bool // an anchor: its ratings never change
	Record Record
}

// Entry is one configuration that a nickname owns.
type Entry struct {
	ID         int64
	NicknameID int64
	Bucket     Bucket
	Notes      string
	ModelRaw   string
	Version    *string // date stamp taken out of the raw model name
	Created    time.Time
}

// Operator is somebody who looks after the arena, as an operators' tool is run in
// their name.
type Operator struct{ Name string }
