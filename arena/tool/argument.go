package tool

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"chessarena/arena"
)

// field is one argument, read off a struct field's tags:
//
//	json      its name
//	doc       what it means, for the schema
//	arg       "required" when it must be given
//	code      the code of a value of the wrong shape; invalid_arguments if not said
//	enum      the accepted words, comma separated; shown, and left to the function to refuse
//	min, max  the accepted range of a number, both included; clamp:"true" moves a
//	          value outside to the nearest end instead of refusing it
type field struct {
	name     string
	doc      string
	index    int
	typ      reflect.Type
	required bool
	code     arena.Code
	enum     []string
	min, max *float64
	clamp    bool
}

func fieldsOf(in reflect.Type) []field {
	if in.Kind() != reflect.Struct {
		panic("tool: arguments must be a struct, not " + in.String())
	}
	var list []field
	for i := range in.NumField() {
		f := in.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || f.Tag.Get("doc") == "" {
			panic(fmt.Sprintf("tool: field %s of %s needs json and doc tags", f.Name, in))
		}
		one := field{
			name: name, doc: f.Tag.Get("doc"), index: i, typ: f.Type,
			required: f.Tag.Get("arg") == "required",
			code:     arena.Code(f.Tag.Get("code")),
			min:      bound(f.Tag.Get("min")), max: bound(f.Tag.Get("max")),
			clamp: f.Tag.Get("clamp") == "true",
		}
		if one.code == "" {
			one.code = arena.InvalidArguments
		}
		if words := f.Tag.Get("enum"); words != "" {
			one.enum = strings.Split(words, ",")
		}
		list = append(list, one)
	}
	return list
}

func bound(tag string) *float64 {
	if tag == "" {
		return nil
	}
	n, err := strconv.ParseFloat(tag, 64)
	if err != nil {
		panic("tool: bound " + tag + " is not a number")
	}
	return &n
}

// object reads a call's arguments as a JSON object. Absent and null are the empty one,
// and a string that holds an object counts as that object.
func object(args json.RawMessage) (map[string]json.RawMessage, *arena.Error) {
	args = bytes.TrimSpace(args)
	if len(args) == 0 || bytes.Equal(args, []byte("null")) {
		return map[string]json.RawMessage{}, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(unwrap(args), &members); err != nil || members == nil {
		return nil, arena.Errorf(arena.InvalidArguments, "The arguments must be one JSON object.")
	}
	return members, nil
}

// unwrap returns the object or list inside a JSON string, or raw itself. What it
// returns is JSON when raw is.
func unwrap(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return raw
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return raw
	}
	text = strings.TrimSpace(text)
	if text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return raw
}

// decode fills a new In of t from members. It refuses unknown names and names what is
// missing.
func (t *Tool) decode(members map[string]json.RawMessage) (reflect.Value, *arena.Error) {
	in := reflect.New(t.in).Elem()
	for name := range members {
		if !slices.ContainsFunc(t.fields, func(f field) bool { return f.name == name }) {
			return in, arena.Errorf(arena.InvalidArguments, "%s takes no argument %s. %s", t.Name, arena.Quote(name), t.known())
		}
	}
	for _, f := range t.fields {
		raw, ok := members[f.name]
		if !ok || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
			if f.required {
				return in, arena.Errorf(arena.InvalidArguments, "%s needs the argument %s. %s", t.Name, f.name, t.known())
			}
			continue
		}
		if err := f.set(in.Field(f.index), raw); err != nil {
			return in, err
		}
	}
	return in, nil
}

func (t *Tool) known() string {
	var names []string
	if t.Access != Operator {
		names = append(names, "key")
	}
	for _, f := range t.fields {
		names = append(names, f.name)
	}
	if len(names) == 0 {
		return "It takes none."
	}
	return "Known arguments: " + strings.Join(names, ", ") + "."
}

var rawType = reflect.TypeFor[json.RawMessage]()

// set reads raw into v, with the coercions the package comment names.
func (f field) set(v reflect.Value, raw json.RawMessage) *arena.Error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if text, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return f.fault("a string")
		}
		if err := text.UnmarshalText([]byte(s)); err != nil {
			return arena.Public(err)
		}
		return nil
	}
	switch {
	case v.Type() == rawType:
		v.SetBytes(slices.Clone(unwrap(raw)))
		return nil
	case v.Kind() == reflect.String:
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return f.fault("a string")
		}
		v.SetString(s)
		return nil
	case v.Kind() == reflect.Bool:
		b, err := strconv.ParseBool(scalar(raw))
		if err != nil {
			return f.fault("true or false")
		}
		v.SetBool(b)
		return nil
	case v.CanInt():
		return f.setInt(v, raw)
	case v.CanFloat():
		n, err := strconv.ParseFloat(scalar(raw), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return f.fault("a number")
		}
		n, fault := f.within(n)
		if fault == nil {
			v.SetFloat(n)
		}
		return fault
	}
	if json.Unmarshal(unwrap(raw), v.Addr().Interface()) != nil {
		return f.fault("of the type the schema gives")
	}
	return nil
}

// setInt reads integers without a detour through float64, so that large ones survive;
// 12.0 and 1.2e1 are integers too.
func (f field) setInt(v reflect.Value, raw json.RawMessage) *arena.Error {
	text := scalar(raw)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return f.fault("a whole number")
		}
		n = int64(x)
	}
	if bounded, fault := f.within(float64(n)); fault != nil {
		return fault
	} else if bounded != float64(n) {
		n = int64(bounded)
	}
	if v.OverflowInt(n) {
		return f.fault("a smaller whole number")
	}
	v.SetInt(n)
	return nil
}

func (f field) within(n float64) (float64, *arena.Error) {
	if f.min != nil && n < *f.min {
		if f.clamp {
			return *f.min, nil
		}
		return n, f.fault(fmt.Sprintf("at least %v", *f.min))
	}
	if f.max != nil && n > *f.max {
		if f.clamp {
			return *f.max, nil
		}
		return n, f.fault(fmt.Sprintf("at most %v", *f.max))
	}
	return n, nil
}

func (f field) fault(want string) *arena.Error {
	return arena.Errorf(f.code, "%s must be %s.", f.name, want)
}

// scalar is the text of a JSON number, boolean or string; of anything else a text
// that reads as none of them.
func scalar(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}
