package arena_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chessarena/arena"
)

// set changes one setting of s by name.
func set(t *testing.T, s *arena.Settings, name, text string) error {
	t.Helper()
	for _, one := range s.Each() {
		if one.Name == name {
			return one.Set(text)
		}
	}
	t.Fatalf("there is no setting %s", name)
	return nil
}

func TestSettingsOfTheDesign(t *testing.T) {
	// DESIGN §3, "Settings", with their defaults; "" where it names none.
	design := map[string]string{
		"LONGPOLL_DEFAULT_S": "45", "RATE_REGISTER_PER_HOUR_PER_IP": "5", "RATE_TOOLS_PER_MIN_PER_KEY": "60", "KEY_LENGTH": "300",
		"LONGPOLL_MAX_S": "600", "PROGRESS_INTERVAL_S": "20", "ILLEGAL_MAX": "3", "MAX_PLIES": "400", "PGN_DIR": "",
		"MAX_ACTIVE_GAMES_PER_NICKNAME": "8", "MATCHMAKER_TICK_S": "10",
		"ADDR": "127.0.0.1:8080", "DB": "", "PUBLIC_URL": "", "TRUSTED_PROXIES": "", "SOFT_DEADLINE_S": "180", "BANK_S": "1200",
		"HARD_CAP_S": "900", "MATCHMAKER": "on", "BOT_FALLBACK_S": "60", "STOCKFISH": "", "ENGINE_PROCS": "1", "HOUSE_GAMES": "idle", "LOG_FORMAT": "text",
	}
	s := arena.DefaultSettings()
	for _, one := range s.Each() {
		if want, listed := design[one.Name]; listed && (one.Default != want || one.String() != want) {
			t.Errorf("%s is %q by default and %q in fact, want %q", one.Name, one.Default, one, want)
		}
		delete(design, one.Name)
		if one.Env != "ARENA_"+one.Name || one.Flag != strings.ToLower(strings.ReplaceAll(one.Name, "_", "-")) || one.Doc == "" {
			t.Errorf("%s: variable %q, flag %q, doc %q", one.Name, one.Env, one.Flag, one.Doc)
		}
	}
	for name := range design {
		t.Errorf("the setting %s is missing", name)
	}
	if err := s.Validate(); err != nil {
		t.Errorf("the defaults do not validate: %v", err)
	}
}

func TestSettingsRoundTrip(t *testing.T) {
	s := arena.DefaultSettings()
	for name, text := range map[string]string{
		"ADDR": "[::1]:9", "DB": "/srv/a b.db", "PUBLIC_URL": "https://arena.example.org/x", "TRUSTED_PROXIES": "10.0.0.0/8,2001:db8::/32,192.0.2.7/32",
		"LOG_FORMAT": "json", "LONGPOLL_DEFAULT_S": "0.25", "LONGPOLL_MAX_S": "3600", "RATE_TOOLS_PER_MIN_PER_KEY": "1000000",
		"MATCHMAKER": "off", "HOUSE_GAMES": "off", "BANK_S": "0", "SOFT_DEADLINE_S": "0.001", "KEY_LENGTH": "80",
	} {
		if err := set(t, &s, name, text); err != nil {
			t.Errorf("%s=%s: %v", name, text, err)
		}
	}
	back := arena.DefaultSettings()
	for _, one := range s.Each() {
		if err := set(t, &back, one.Name, one.String()); err != nil {
			t.Errorf("%s does not read its own text %q: %v", one.Name, one, err)
		}
	}
	if diff := cmp.Diff(s, back, cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
		t.Errorf("settings changed on the way (-set +read back):\n%s", diff)
	}
	if s.LongPollDefault != 250*time.Millisecond || s.SoftDeadline != time.Millisecond || s.Matchmaker {
		t.Errorf("settings read as %v, %v, %v", s.LongPollDefault, s.SoftDeadline, s.Matchmaker)
	}
}

func TestSettingSet(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"MATCHMAKER", "on", "on"}, {"MATCHMAKER", "TRUE", "on"}, {"MATCHMAKER", "1", "on"}, {"MATCHMAKER", "yes", "on"},
		{"MATCHMAKER", "off", "off"}, {"MATCHMAKER", "False", "off"}, {"MATCHMAKER", "0", "off"}, {"MATCHMAKER", "no", "off"},
		{"BANK_S", "3m", "180"}, {"BANK_S", "1500ms", "1.5"}, {"BANK_S", " 90 ", "90"}, {"BANK_S", "0.0014", "0.001"}, {"BANK_S", "1400us", "0.001"},
		{"TRUSTED_PROXIES", " 10.1.2.3/8 ,, ::1 ", "10.0.0.0/8,::1/128"}, {"TRUSTED_PROXIES", "", ""},
		{"MAX_PLIES", " 100 ", "100"}, {"HOUSE_GAMES", "on", "on"},
	} {
		s := arena.DefaultSettings()
		if err := set(t, &s, c.name, c.text); err != nil {
			t.Errorf("%s=%q: %v", c.name, c.text, err)
		}
		for _, one := range s.Each() {
			if one.Name == c.name && one.String() != c.want {
				t.Errorf("%s=%q reads as %q, want %q", c.name, c.text, one, c.want)
			}
		}
	}
	for _, c := range []struct{ name, text, says string }{
		{"MATCHMAKER", "maybe", "on or off"}, {"MATCHMAKER", "", "on or off"},
		{"MAX_PLIES", "many", "whole number"}, {"MAX_PLIES", "1.5", "whole number"}, {"MAX_PLIES", "99999999999999999999", "whole number"},
		{"BANK_S", "soon", "duration"}, {"BANK_S", "", "duration"}, {"BANK_S", "NaN", "range"}, {"BANK_S", "1e300", "range"},
		{"TRUSTED_PROXIES", "example.org", "network"}, {"TRUSTED_PROXIES", "10.0.0.0/99", "network"},
		{"LOG_FORMAT", "xml", "text, json"}, {"HOUSE_GAMES", "often", "idle"},
	} {
		s := arena.DefaultSettings()
		if err := set(t, &s, c.name, c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s=%q: error %v, want one that says %q", c.name, c.text, err, c.says)
		}
		if diff := cmp.Diff(arena.DefaultSettings(), s, cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
			t.Errorf("%s=%q was refused and changed something:\n%s", c.name, c.text, diff)
		}
	}
}

func TestSettingsValidate(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"ADDR", "8080"}, {"ADDR", ""},
		{"PUBLIC_URL", "arena.example.org"}, {"PUBLIC_URL", "ftp://arena.example.org"}, {"PUBLIC_URL", "https://"},
		{"PUBLIC_URL", "https://user:pw@arena.example.org"}, {"PUBLIC_URL", "https://arena.example.org?x=1"}, {"PUBLIC_URL", "https://a b"},
		{"PPROF_ADDR", "0.0.0.0:6060"}, {"PPROF_ADDR", "example.org:6060"}, {"PPROF_ADDR", "6060"}, {"PPROF_ADDR", ":6060"},
		{"LONGPOLL_MAX_S", "3601"}, {"LONGPOLL_MAX_S", "-1"}, {"LONGPOLL_MAX_S", "44"}, // below LONGPOLL_DEFAULT_S
		{"LONGPOLL_DEFAULT_S", "601"}, {"LONGPOLL_DEFAULT_S", "-1"},
		{"PROGRESS_INTERVAL_S", "0"}, {"PROGRESS_INTERVAL_S", "61"},
		{"SOFT_DEADLINE_S", "0"}, {"SOFT_DEADLINE_S", "901"}, // above HARD_CAP_S
		{"BANK_S", "-1"}, {"HARD_CAP_S", "179"}, {"HARD_CAP_S", "2592001"},
		{"MATCHMAKER_TICK_S", "0"}, {"BOT_FALLBACK_S", "-1"},
		{"RATE_REGISTER_PER_HOUR_PER_IP", "0"}, {"RATE_TOOLS_PER_MIN_PER_KEY", "0"},
		{"KEY_LENGTH", "79"}, {"KEY_LENGTH", "1025"}, {"ILLEGAL_MAX", "0"}, {"MAX_PLIES", "19"}, {"MAX_PLIES", "5001"},
		{"MAX_ACTIVE_GAMES_PER_NICKNAME", "0"}, {"ENGINE_PROCS", "0"}, {"ENGINE_PROCS", "-1"},
	} {
		s := arena.DefaultSettings()
		if err := set(t, &s, c.name, c.text); err != nil {
			t.Errorf("%s=%q: %v", c.name, c.text, err)
			continue
		}
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "setting ") {
			t.Errorf("%s=%q validates: %v", c.name, c.text, err)
		}
	}
	for _, c := range []struct{ name, text string }{
		{"ADDR", ":0"}, {"ADDR", "[::1]:80"}, {"PUBLIC_URL", "http://192.0.2.1:81/arena"}, {"PPROF_ADDR", "localhost:6060"}, {"PPROF_ADDR", "[::1]:6060"},
		{"LONGPOLL_MAX_S", "45"}, {"SOFT_DEADLINE_S", "900"}, {"BANK_S", "0"}, {"KEY_LENGTH", "1024"}, {"BOT_FALLBACK_S", "0"},
	} {
		s := arena.DefaultSettings()
		if err := set(t, &s, c.name, c.text); err != nil {
			t.Errorf("%s=%q: %v", c.name, c.text, err)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s=%q does not validate: %v", c.name, c.text, err)
		}
	}
}

func TestPace(t *testing.T) {
	if diff := cmp.Diff(pace, arena.DefaultSettings().Pace()); diff != "" {
		t.Errorf("default pace (-want +got):\n%s", diff)
	}
}
