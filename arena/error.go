package arena

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Code names a failure for clients. Codes are stable: agents branch on them.
type Code string

// The codes a client can meet. See codes for what each means.
const (
	InvalidArguments Code = "invalid_arguments"
	InvalidConfig    Code = "invalid_config"
	InvalidChars     Code = "invalid_chars"
	InvalidGameID    Code = "invalid_game_id"
	InvalidConfigID  Code = "invalid_config_id"
	InvalidFEN       Code = "invalid_fen"
	InvalidOpponents Code = "invalid_opponents"
	InvalidView      Code = "invalid_view"
	Reserved         Code = "reserved"
	NicknameTaken    Code = "nickname_taken"
	NicknameInUse    Code = "nickname_in_use"

	MalformedKey Code = "malformed_key"
	UnknownKey   Code = "unknown_key"
	BadKey       Code = "bad_key"
	Frozen       Code = "frozen"
	Dormant      Code = "dormant"

	RateLimited    Code = "rate_limited"
	TooManyConfigs Code = "too_many_configs"
	TooManyGames   Code = "too_many_active_games"

	NotFound       Code = "not_found"
	ConfigNotFound Code = "config_not_found"
	NotYourGame    Code = "not_your_game"

	GameNotActive    Code = "game_not_active"
	NotYourTurn      Code = "not_your_turn"
	StalePly         Code = "stale_ply"
	IllegalMove      Code = "illegal_move"
	NoDrawOffer      Code = "no_draw_offer"
	DrawOfferExpired Code = "draw_offer_expired"
	OwnDrawOffer     Code = "own_draw_offer"
	DrawOfferTooSoon Code = "draw_offer_too_soon"

	WrongHost          Code = "wrong_host"
	CrossOrigin        Code = "cross_origin"
	MethodNotAllowed   Code = "method_not_allowed"
	PayloadTooLarge    Code = "payload_too_large"
	StorageUnavailable Code = "storage_unavailable"
	ModelConflict      Code = "model_conflict"
	CannotUndo         Code = "cannot_undo"
	Serving            Code = "serving"
	Unhealthy          Code = "unhealthy"
	Internal           Code = "internal"
)

// Kind groups codes by what a caller can do about them; a door maps it to its own
// protocol (the web door to an HTTP status).
type Kind uint8

// The kinds of failure.
const (
	KindInternal        Kind = iota // our fault; nothing the caller can change
	KindInvalid                     // the request itself is wrong
	KindUnauthenticated             // no valid key
	KindForbidden                   // a valid caller who may not do this
	KindNotFound                    // no such thing
	KindConflict                    // right request, wrong moment
	KindLimited                     // too much; RetryAfter says when
	KindUnavailable                 // the arena cannot serve this now; retry later
)

// CodeInfo is one row of the table of codes.
type CodeInfo struct {
	Kind Kind
	Doc  string // one sentence for the API page
}

var codes = map[Code]CodeInfo{
	InvalidArguments:   {KindInvalid, "An argument is missing, unknown or of the wrong type; the message lists what is known."},
	InvalidConfig:      {KindInvalid, "A field of config is missing, unknown or out of range."},
	InvalidChars:       {KindInvalid, "The nickname is not 3 to 32 characters of A-Z a-z 0-9 _ -."},
	InvalidGameID:      {KindInvalid, "The game id is not 12 characters of the id alphabet."},
	InvalidConfigID:    {KindInvalid, "The config id is not a positive integer."},
	InvalidFEN:         {KindInvalid, "The position is not a legal FEN."},
	InvalidOpponents:   {KindInvalid, "opponents is not any, agents_only or anchors_only."},
	InvalidView:        {KindInvalid, "view is not configs, champions or models."},
	Reserved:           {KindInvalid, "The nickname is kept for the arena itself."},
	NicknameTaken:      {KindConflict, "Somebody owns this nickname or one that looks like it."},
	NicknameInUse:      {KindConflict, "The nickname has games, which keep its name."},
	MalformedKey:       {KindUnauthenticated, "The key is missing or not shaped nickname.secret."},
	UnknownKey:         {KindUnauthenticated, "No nickname matches the part of the key before the dot."},
	BadKey:             {KindUnauthenticated, "The nickname exists, and this is not its key."},
	Frozen:             {KindForbidden, "The operators have frozen this nickname."},
	Dormant:            {KindForbidden, "The nickname slept for 180 days; an operator can wake it."},
	RateLimited:        {KindLimited, "Too many calls; wait retry_after_s seconds."},
	TooManyConfigs:     {KindConflict, "The nickname owns as many configurations as it may."},
	TooManyGames:       {KindConflict, "The nickname is in as many games as it may; finish one first."},
	NotFound:           {KindNotFound, "There is no such thing."},
	ConfigNotFound:     {KindNotFound, "You own no configuration with this id."},
	NotYourGame:        {KindForbidden, "You have no seat in this game."},
	GameNotActive:      {KindConflict, "The game is over; state shows how."},
	NotYourTurn:        {KindConflict, "It is the opponent's turn."},
	StalePly:           {KindConflict, "ply is not the game's current ply; nothing was played and no attempt was used."},
	IllegalMove:        {KindInvalid, "The move cannot be played; reason says why."},
	NoDrawOffer:        {KindConflict, "The opponent has offered no draw."},
	DrawOfferExpired:   {KindConflict, "The opponent's offer ended when a move was made."},
	OwnDrawOffer:       {KindConflict, "The standing offer is your own; only the opponent can accept it."},
	DrawOfferTooSoon:   {KindConflict, "You have made three offers within the last 20 plies."},
	WrongHost:          {KindForbidden, "The arena does not answer to the host name of the request."},
	CrossOrigin:        {KindForbidden, "Another site's page sent the request from a browser."},
	MethodNotAllowed:   {KindInvalid, "The path exists, with another HTTP method."},
	PayloadTooLarge:    {KindInvalid, "The request body is over the limit."},
	StorageUnavailable: {KindUnavailable, "The arena cannot write just now; clocks stand still. Retry after retry_after_s."},
	ModelConflict:      {KindConflict, "The names of models stand in the way of this; the message says how."},
	CannotUndo:         {KindConflict, "This entry of the audit log cannot be taken back; the message says why."},
	Serving:            {KindConflict, "A server has the database in use; stop it first."},
	Unhealthy:          {KindConflict, "The doctor found something that must be mended."},
	Internal:           {KindInternal, "The arena failed; nothing about the request was at fault."},
}

// Info returns the table row of c. A code that is not in the table reads as internal.
func (c Code) Info() CodeInfo { return codes[c] }

// Known reports whether c stands in the table of codes.
func (c Code) Known() bool { _, ok := codes[c]; return ok }

// Error is a failure that a client may read: a code, a sentence, and facts. Everything
// a client must not see belongs into the wrapped cause.
type Error struct {
	Code       Code
	Message    string        // one or two sentences: what was wrong, what is allowed
	RetryAfter time.Duration // 0: not said; on the wire whole seconds, rounded up
	Detail     any           // nil, or a struct whose JSON members are merged into the answer
	cause      error
}

// Errorf makes an Error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because returns a copy of e that wraps cause for the log.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// With returns a copy of e that carries detail.
func (e *Error) With(detail any) *Error {
	c := *e
	c.Detail = detail
	return &c
}

func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap returns the cause, which is for the log only.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of the first *Error in err's chain, Internal for any other
// error and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Public returns what a client may see of err: the *Error in its chain, or a bare
// internal one that wraps err.
func Public(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Errorf(Internal, "The arena failed to answer. It has been logged; try again.").Because(err)
}

// Quote shows a client's own text back at it in a message: bounded, in quotes, with
// nothing in it that is not printable ASCII.
func Quote(text string) string {
	const limit = 40
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return strconv.QuoteToASCII(text)
}
