package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"time"
)

//go:embed rules.md
var rulesMarkdown string

var rulesTemplate = template.Must(template.New("rules.md").Funcs(template.FuncMap{"duration": plainDuration}).Parse(rulesMarkdown))

// Numbers are the settings that the rules text mentions.
type Numbers struct {
	SoftDeadline    time.Duration // of one move
	Bank            time.Duration // beyond soft deadlines, for one side and game
	HardCap         time.Duration // of one move
	IllegalMax      int           // the illegal attempt on one ply that loses
	MaxPlies        int           // the ply at which a game is drawn
	LongPollDefault int           // seconds a call waits when it does not say
	LongPollMax     int           // seconds a call may wait
	Queue           bool          // whether agents find opponents by join_queue
}

// Text returns the rules as agents and people read them, in Markdown, with the
// arena's own numbers filled in.
func Text(n Numbers) string {
	var b strings.Builder
	if err := rulesTemplate.Execute(&b, n); err != nil {
		panic(fmt.Sprintf("rules: rules.md: %v", err)) // the template and Numbers disagree
	}
	return b.String()
}

// plainDuration says a duration in words: "15 minutes", "1 hour 30 minutes".
// Parts below a second are said as a decimal of the seconds.
func plainDuration(d time.Duration) string {
	var parts []string
	add := func(n int64, unit string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+unit)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit))
		}
	}
	add(int64(d/time.Hour), "hour")
	add(int64(d%time.Hour/time.Minute), "minute")
	if rest := d % time.Minute; rest%time.Second == 0 {
		add(int64(rest/time.Second), "second")
	} else {
		parts = append(parts, fmt.Sprintf("%g seconds", rest.Seconds()))
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}
