package arena

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"chessarena/rules"
)

// Settings is every knob of the arena. Each field is a flag, an environment variable
// and a line of `arena config`, all described by its tags:
//
//	name     the contract's name; the variable is ARENA_<name>, the flag --<name> in kebab case
//	default  the value of a setting that nobody set
//	doc      one line for the help
//
// Names that end in _S are seconds, down to the millisecond ("45", "0.25", also "3m").
type Settings struct {
	Addr            string         `name:"ADDR" default:"127.0.0.1:8080" doc:"address to listen on"`
	DB              string         `name:"DB" default:"" doc:"database file; empty means arena.db in the user's data folder"`
	PublicURL       string         `name:"PUBLIC_URL" default:"" doc:"address that agents and browsers use, when it differs from ADDR (reverse proxy)"`
	TrustedProxies  []netip.Prefix `name:"TRUSTED_PROXIES" default:"" doc:"addresses or networks whose X-Forwarded-For is believed, comma separated"`
	UnsafeNetworkFS bool           `name:"UNSAFE_NETWORK_FS" default:"off" doc:"open a database on a network file system, where SQLite may lose data"`
	LogFormat       string         `name:"LOG_FORMAT" default:"text" oneof:"text json" doc:"format of the log on standard error"`
	Metrics         string         `name:"METRICS" default:"loopback" oneof:"loopback on off" doc:"who may read /metrics: this machine, everybody, nobody"`
	PprofAddr       string         `name:"PPROF_ADDR" default:"" doc:"loopback address for Go's profiler; empty means off"`

	LongPollDefault  time.Duration `name:"LONGPOLL_DEFAULT_S" default:"45" doc:"seconds a waiting call waits when it does not say"`
	LongPollMax      time.Duration `name:"LONGPOLL_MAX_S" default:"600" doc:"longest wait a call may ask for, in seconds"`
	ProgressInterval time.Duration `name:"PROGRESS_INTERVAL_S" default:"20" doc:"seconds between signs of life to a waiting client"`
	RegisterPerHour  int           `name:"RATE_REGISTER_PER_HOUR_PER_IP" default:"5" doc:"registrations one address may make in an hour"`
	ToolsPerMinute   int           `name:"RATE_TOOLS_PER_MIN_PER_KEY" default:"60" doc:"calls one key may make in a minute"`
	KeyLength        int           `name:"KEY_LENGTH" default:"300" doc:"characters of a new key"`
	IllegalMax       int           `name:"ILLEGAL_MAX" default:"3" doc:"illegal attempts on one ply that lose the game"`
	MaxPlies         int           `name:"MAX_PLIES" default:"400" doc:"plies after which a game is drawn"`
	SoftDeadline     time.Duration `name:"SOFT_DEADLINE_S" default:"180" doc:"seconds for a move before its side's bank is spent"`
	Bank             time.Duration `name:"BANK_S" default:"1200" doc:"seconds beyond soft deadlines that a side has for the whole game"`
	HardCap          time.Duration `name:"HARD_CAP_S" default:"900" doc:"longest time for one move, in seconds"`
	MaxActiveGames   int           `name:"MAX_ACTIVE_GAMES_PER_NICKNAME" default:"8" doc:"games a nickname may have in progress before the queue refuses it"`
	PGNDir           string        `name:"PGN_DIR" default:"" doc:"folder for a copy of each finished game's PGN; empty means none"`
	Matchmaker       bool          `name:"MATCHMAKER" default:"on" doc:"pair the agents in the queue"`
	MatchmakerTick   time.Duration `name:"MATCHMAKER_TICK_S" default:"10" doc:"seconds between pairing waves"`
	BotFallback      time.Duration `name:"BOT_FALLBACK_S" default:"60" doc:"seconds after which an unpaired agent gets a house player"`
	HouseGames       string        `name:"HOUSE_GAMES" default:"idle" oneof:"idle on off" doc:"games between house players: while no agent is there, always, never"`
	Stockfish        string        `name:"STOCKFISH" default:"" doc:"path of a Stockfish binary; empty means look on PATH and in /usr/games, off means none"`
	EngineProcs      int           `name:"ENGINE_PROCS" default:"1" doc:"engine processes that may run at once"`
}

// Setting is one field of a Settings value, by name.
type Setting struct {
	Name    string // LONGPOLL_MAX_S
	Env     string // ARENA_LONGPOLL_MAX_S
	Flag    string // longpoll-max-s
	Default string
	Doc     string
	value   reflect.Value
	oneOf   []string
}

// Each returns the settings of s in order; Set on one of them changes s.
func (s *Settings) Each() []Setting {
	v := reflect.ValueOf(s).Elem()
	list := make([]Setting, v.NumField())
	for i := range list {
		tag := v.Type().Field(i).Tag
		name := tag.Get("name")
		list[i] = Setting{
			Name: name, Env: "ARENA_" + name,
			Flag:    strings.ToLower(strings.ReplaceAll(name, "_", "-")),
			Default: tag.Get("default"), Doc: tag.Get("doc"),
			value: v.Field(i), oneOf: strings.Fields(tag.Get("oneof")),
		}
	}
	return list
}

// DefaultSettings returns the settings of an arena that was told nothing.
func DefaultSettings() Settings {
	var s Settings
	for _, one := range s.Each() {
		if err := one.Set(one.Default); err != nil {
			panic(fmt.Sprintf("default of %s: %v", one.Name, err)) // a tag above is wrong
		}
	}
	return s
}

// Set parses text into the setting. The error says what is accepted.
func (s Setting) Set(text string) error {
	text = strings.TrimSpace(text)
	switch p := s.value.Addr().Interface().(type) {
	case *string:
		if len(s.oneOf) > 0 && !slices.Contains(s.oneOf, text) {
			return fmt.Errorf("%q is not one of %s", text, strings.Join(s.oneOf, ", "))
		}
		*p = text
	case *bool:
		b, err := parseBool(text)
		if err != nil {
			return err
		}
		*p = b
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		*p = n
	case *time.Duration:
		d, err := parseSeconds(text)
		if err != nil {
			return err
		}
		*p = d
	case *[]netip.Prefix:
		list, err := parsePrefixes(text)
		if err != nil {
			return err
		}
		*p = list
	default:
		panic(fmt.Sprintf("setting %s has an unknown type", s.Name))
	}
	return nil
}

// String is the setting's value in the form that Set reads.
func (s Setting) String() string {
	switch v := s.value.Interface().(type) {
	case bool:
		if v {
			return "on"
		}
		return "off"
	case time.Duration:
		return strconv.FormatFloat(v.Seconds(), 'f', -1, 64)
	case []netip.Prefix:
		parts := make([]string, len(v))
		for i, p := range v {
			parts[i] = p.String()
		}
		return strings.Join(parts, ",")
	default:
		return fmt.Sprint(v)
	}
}

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "on", "true", "1", "yes":
		return true, nil
	case "off", "false", "0", "no":
		return false, nil
	}
	return false, fmt.Errorf("%q is not on or off", text)
}

func parseSeconds(text string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if !(n >= -1e9 && n <= 1e9) { // also NaN
			return 0, fmt.Errorf("%q seconds is out of range", text)
		}
		return time.Duration(math.Round(n*1000)) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of seconds or a duration like 90s or 3m", text)
	}
	return d.Round(time.Millisecond), nil
}

func parsePrefixes(text string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if addr, err := netip.ParseAddr(part); err == nil {
			list = append(list, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(part)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network like 10.0.0.0/8", part)
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// Pace is the time control of new games.
func (s Settings) Pace() TimeControl {
	return TimeControl{Soft: s.SoftDeadline, Bank: s.Bank, HardCap: s.HardCap}
}

// RulesText is the rules as agents and people read them, with the numbers of s.
func (s Settings) RulesText() string {
	return rules.Text(rules.Numbers{
		SoftDeadline: s.SoftDeadline, Bank: s.Bank, HardCap: s.HardCap, IllegalMax: s.IllegalMax, MaxPlies: s.MaxPlies,
		LongPollDefault: int(s.LongPollDefault.Seconds()), LongPollMax: int(s.LongPollMax.Seconds()),
		Queue: s.Matchmaker,
	})
}

// Validate reports the first setting that makes no sense, alone or with another.
func (s Settings) Validate() error {
	fault := func(name, format string, args ...any) error {
		return fmt.Errorf("setting %s: %s", name, fmt.Sprintf(format, args...))
	}
	if _, _, err := net.SplitHostPort(s.Addr); err != nil {
		return fault("ADDR", "%q is not host:port", s.Addr)
	}
	if s.PublicURL != "" {
		if u, err := url.Parse(s.PublicURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.User != nil {
			return fault("PUBLIC_URL", "%q is not an address like https://arena.example.org", s.PublicURL)
		}
	}
	if s.PprofAddr != "" && !isLoopback(s.PprofAddr) {
		return fault("PPROF_ADDR", "%q is not a loopback address; profiles must not leave this machine", s.PprofAddr)
	}
	for _, d := range []struct {
		name     string
		value    time.Duration
		min, max time.Duration
	}{
		{"LONGPOLL_MAX_S", s.LongPollMax, 0, time.Hour},
		{"LONGPOLL_DEFAULT_S", s.LongPollDefault, 0, s.LongPollMax},
		{"PROGRESS_INTERVAL_S", s.ProgressInterval, 10 * time.Millisecond, time.Minute},
		{"SOFT_DEADLINE_S", s.SoftDeadline, time.Millisecond, 30 * 24 * time.Hour},
		{"BANK_S", s.Bank, 0, 30 * 24 * time.Hour},
		{"HARD_CAP_S", s.HardCap, s.SoftDeadline, 30 * 24 * time.Hour},
		{"MATCHMAKER_TICK_S", s.MatchmakerTick, 10 * time.Millisecond, time.Hour},
		{"BOT_FALLBACK_S", s.BotFallback, 0, 24 * time.Hour},
	} {
		if d.value < d.min || d.value > d.max {
			return fault(d.name, "%v must be from %v to %v", d.value, d.min, d.max)
		}
	}
	for _, n := range []struct {
		name            string
		value, min, max int
	}{
		{"RATE_REGISTER_PER_HOUR_PER_IP", s.RegisterPerHour, 1, 1_000_000},
		{"RATE_TOOLS_PER_MIN_PER_KEY", s.ToolsPerMinute, 1, 1_000_000},
		{"KEY_LENGTH", s.KeyLength, 80, KeyMax},
		{"ILLEGAL_MAX", s.IllegalMax, 1, 100},
		{"MAX_PLIES", s.MaxPlies, 20, 5000},
		{"MAX_ACTIVE_GAMES_PER_NICKNAME", s.MaxActiveGames, 1, 10_000},
		{"ENGINE_PROCS", s.EngineProcs, 1, 256},
	} {
		if n.value < n.min || n.value > n.max {
			return fault(n.name, "%d must be from %d to %d", n.value, n.min, n.max)
		}
	}
	return nil
}

func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// Wait is the wait that a call asked for, in seconds, within what the arena grants;
// fallback when it named none.
func (s Settings) Wait(seconds *float64, fallback time.Duration) time.Duration {
	if seconds == nil {
		return fallback
	}
	return time.Duration(min(max(*seconds, 0), s.LongPollMax.Seconds()) * float64(time.Second))
}
