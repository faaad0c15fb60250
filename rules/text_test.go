package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTextFillsInTheNumbers(t *testing.T) {
	text := Text(Numbers{
		SoftDeadline: 181 * time.Second, Bank: 77 * time.Minute, HardCap: 90*time.Minute + 1500*time.Millisecond,
		IllegalMax: 13, MaxPlies: 417, LongPollDefault: 46, LongPollMax: 611,
	})
	for _, want := range []string{
		"soft deadline of 3 minutes 1 second after",
		"bank: 1 hour 17 minutes for the whole game",
		"longer than 1 hour 30 minutes 1.5 seconds in all",
		"illegal move number 13 on one ply",
		"reached 417 plies",
		"46 seconds if you leave it out, at most 611",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q", want)
		}
	}
	if strings.Contains(text, "{{") || strings.Contains(text, "<no value>") {
		t.Error("the template was not filled in")
	}
}

func TestTextWhenTheFirstIllegalMoveLoses(t *testing.T) {
	if text := Text(Numbers{IllegalMax: 1}); !strings.Contains(text, "The first illegal move loses the game") || strings.Contains(text, "try again") {
		t.Error("the text promises another attempt")
	}
}

// Words in backquotes are promises: every ending and every reason the text
// names is one that this package gives, and every ending is named.
func TestTextNamesEveryEnding(t *testing.T) {
	text := Text(Numbers{IllegalMax: 3})
	quoted := regexp.MustCompile("`[a-z_]+`").FindAllString(text, -1)
	for _, e := range []Ending{Checkmate, Stalemate, InsufficientMaterial, FivefoldRepetition, SeventyFiveMoves, ThreefoldRepetition, FiftyMoves, MaxPlies} {
		if !slices.Contains(quoted, "`"+string(e)+"`") {
			t.Errorf("the text does not name %s", e)
		}
	}
	for _, reason := range []Reason{Ambiguous, PromotionMissing} {
		if !slices.Contains(quoted, "`"+string(reason)+"`") {
			t.Errorf("the text does not name %s", reason)
		}
	}
}

func TestDurationsInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 seconds", time.Second: "1 second", 90 * time.Second: "1 minute 30 seconds", 15 * time.Minute: "15 minutes",
		250 * time.Millisecond: "0.25 seconds", 25 * time.Hour: "25 hours",
	} {
		if got := plainDuration(d); got != want {
			t.Errorf("%v is said %q, want %q", d, got, want)
		}
	}
}

func TestTextTellsOfTheQueueOnlyWhereThereIsOne(t *testing.T) {
	if text := Text(Numbers{IllegalMax: 3}); strings.Contains(text, "join_queue") || !strings.Contains(text, "active_games") {
		t.Error("without a queue the rules must say how a game is found otherwise")
	}
	if text := Text(Numbers{IllegalMax: 3, Queue: true}); !strings.Contains(text, "`get_state` and `join_queue` wait on the server") {
		t.Error("with a queue the rules do not tell of it")
	}
}
