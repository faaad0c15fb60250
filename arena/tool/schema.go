package tool

import (
	"encoding"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf describes arguments for a client. The schemas are loose on purpose: they
// inform a model and never decide, since the decoder is the one judge. Every property
// has a type and a description (a bare true makes one official client drop the whole
// tool list), and what may be left out may also be null.
func schemaOf(fields []field) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, f := range fields {
		s.Properties[f.name] = f.schema()
		s.PropertyOrder = append(s.PropertyOrder, f.name)
		if f.required {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

func (f field) schema() *jsonschema.Schema {
	s := typeSchema(f.typ)
	for _, word := range f.enum {
		s.Enum = append(s.Enum, word)
	}
	s.Minimum, s.Maximum = f.min, f.max
	if f.required {
		s.Description = f.doc
		return s
	}
	return &jsonschema.Schema{Description: f.doc, AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

var textType = reflect.TypeFor[encoding.TextUnmarshaler]()

func typeSchema(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case reflect.PointerTo(t).Implements(textType), t.Kind() == reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case t == rawType:
		return &jsonschema.Schema{Type: "object"}
	case t.Kind() == reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case t.Kind() == reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case slices.Contains([]reflect.Kind{reflect.Int, reflect.Int64}, t.Kind()):
		return &jsonschema.Schema{Type: "integer"}
	case t.Kind() == reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: typeSchema(t.Elem())}
	}
	panic("tool: no schema for arguments of type " + t.String())
}
