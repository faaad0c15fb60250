package mcpserver

import (
	_ "embed"
	"strings"
	"text/template"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
)

//go:embed instructions.md
var instructionsText string

//go:embed play.md
var playText string

var (
	instructionsTemplate = template.Must(template.New("instructions").Parse(instructionsText))
	playTemplate         = template.Must(template.New("play").Parse(playText))
)

// facts are what the texts say about this arena.
type facts struct {
	Queue                bool // agents find opponents themselves
	WaitDefault, WaitMax int  // seconds
	IllegalMax           int
}

func factsOf(set *tool.Set, s arena.Settings) facts {
	return facts{
		Queue:       set.Tool("join_queue") != nil,
		WaitDefault: int(s.LongPollDefault / time.Second), WaitMax: int(s.LongPollMax / time.Second),
		IllegalMax: s.IllegalMax,
	}
}

// instructions is the text that a client puts before its model: how to get from nothing to
// a finished game.
func (f facts) instructions() string { return fill(instructionsTemplate, f) }

// seat is who the prompt asks the model to play as.
type seat struct {
	facts
	Nickname string
	Config   string // JSON
}

func fill(t *template.Template, data any) string {
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		panic(err) // the template and the struct stand in this package
	}
	return b.String()
}
