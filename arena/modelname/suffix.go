package modelname

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	quantized = regexp.MustCompile(`[-.](fp8(?:-dynamic)?(?:-fast)?|fp4|nvfp4|mxfp[48]?|bf16|fp16|f16|fp32|f32|i?q[2-8](?:[-.][0-9k][0-9a-z]*)?(?:[-.][a-z]{1,2})?|int[48]|w8a8|w4a16|awq|gptq|exl2|bnb(?:-4bit)?|[48]-?bit)$`)
	qLevel    = regexp.MustCompile(`^i?q([2-8])`)
)

// quantizationSuffix drops a quantisation from the end of the name and keeps what it
// says in the words of a config.
func quantizationSuffix(_ *Registry, n *name) string {
	m := quantized.FindStringSubmatchIndex(n.text)
	if m == nil || m[0] == 0 {
		return n.text
	}
	if n.quantization == "" {
		n.quantization = level(n.text[m[2]:m[3]])
	}
	return n.text[:m[0]]
}

// level is the config's word for a quantisation as files and hosts write it.
func level(s string) string {
	if m := qLevel.FindStringSubmatch(s); m != nil {
		if s == "q4-k-m" {
			return "q4_k_m"
		}
		if m[1] == "7" {
			return "other"
		}
		return "q" + m[1]
	}
	switch s {
	case "fp16", "f16":
		return "fp16"
	case "bf16":
		return "bf16"
	case "int8", "w8a8", "8bit", "8-bit":
		return "q8"
	case "int4", "w4a16", "4bit", "4-bit", "bnb-4bit":
		return "q4"
	}
	return "other"
}

// served are endings by which a host tells its own editions of one model apart.
var (
	served  = regexp.MustCompile(`-(?:maas|tee|lora|cloud)$`)
	edition = regexp.MustCompile(`^(.*-(?:instruct|chat)(?:-\d{4})?)-(?:(turbo|lite|tput)|basic|hf|long|\d+k)$`)
)

// servingSuffix drops such an ending. The editions called turbo and lite are quantised
// further than they say.
func servingSuffix(_ *Registry, n *name) string {
	s := served.ReplaceAllString(n.text, "")
	if m := edition.FindStringSubmatch(s); m != nil {
		if m[2] != "" && n.quantization == "" {
			n.quantization = "other"
		}
		s = m[1]
	}
	return s
}

// dateStamp moves a date, or a revision such as -001, out of the name. The last one in the name is
// taken; what would be left must not be empty.
func dateStamp(_ *Registry, n *name) string {
	parts := strings.Split(n.text, "-")
	for i := len(parts) - 1; i > 0; i-- {
		count := stampAt(parts, i)
		if count == 0 {
			continue
		}
		first := i + 1 - count
		if first == 0 {
			continue
		}
		if n.version == "" {
			n.version = strings.Join(parts[first:i+1], "-")
		}
		return strings.Join(slices.Delete(slices.Clone(parts), first, i+1), "-")
	}
	return n.text
}

// stampAt is how many parts make up a stamp that ends with the part i.
func stampAt(parts []string, i int) int {
	last := parts[i]
	back := func(n int) string {
		if i < n {
			return ""
		}
		return parts[i-n]
	}
	switch {
	case len(last) == 8 && valid("20060102", last), len(last) == 6 && last > "22" && last < "30" && valid("060102", last):
		return 1
	case valid("2006-01-02", back(2)+"-"+back(1)+"-"+last):
		return 3
	case len(last) == 4 && valid("01-2006", back(1)+"-"+last), len(last) == 2 && valid("2006-01", back(1)+"-"+last):
		return 2
	case i == len(parts)-1 && len(last) == 2 && len(back(1)) == 2 && valid("01-02", back(1)+"-"+last):
		return 2
	case i == len(parts)-1 && len(last) == 3 && strings.HasPrefix(last, "00") && isDigit(last[2]):
		return 1
	}
	return 0
}

// valid reports whether s is a date in the layout, in years when there were models.
func valid(layout, s string) bool {
	t, err := time.Parse(layout, s)
	return err == nil && len(s) == len(layout) && (t.Year() == 0 || t.Year() >= 2020 && t.Year() < 2040)
}

// monthDays are the makers who stamp snapshots of one model with month and day. To the
// others four digits are part of the name: mistral-large-2407 is not mistral-large-2512.
var monthDays = set("gpt chatgpt o grok glm moonshot gemini")

// shortStamp moves a month and day ("-0613") out of a name that is known without.
func shortStamp(r *Registry, n *name) string {
	if !monthDays[firstWord(n.text)] {
		return n.text
	}
	parts := strings.Split(n.text, "-")
	for i := len(parts) - 1; i > 0; i-- {
		if len(parts[i]) != 4 || !valid("0102", parts[i]) {
			continue
		}
		rest := strings.Join(slices.Delete(slices.Clone(parts), i, i+1), "-")
		if !r.leadsToKnown(rest) {
			continue
		}
		if n.version == "" {
			n.version = parts[i]
		}
		return rest
	}
	return n.text
}

// leadsToKnown reports whether s is known, or will be once its stage is dropped.
func (r *Registry) leadsToKnown(s string) bool {
	for _, text := range []string{s, staged.ReplaceAllString(s, "$1")} {
		if _, ok := r.byKey[shapeOf(text).key()]; ok {
			return true
		}
	}
	return false
}

var staged = regexp.MustCompile(`-(?:preview|beta|exp|experimental)(-|$)`)

// settled are the makers whose previews are the model that is later released. Of the
// others a preview may be another model, as o1-preview is.
var settled = set("gemini grok kimi nova qwen glm seed doubao minimax trinity nemotron mimo lyria")

// stageSuffix drops how far along the model was when it was given out, where the model
// is known without.
func stageSuffix(r *Registry, n *name) string {
	rest := strings.TrimSuffix(staged.ReplaceAllString(n.text, "$1"), "-")
	if rest == n.text || !settled[firstWord(rest)] {
		return n.text
	}
	if _, ok := r.byKey[shapeOf(rest).key()]; !ok {
		return n.text
	}
	return rest
}
