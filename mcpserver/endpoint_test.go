package mcpserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestEndpointRefuses(t *testing.T) {
	h := handlerOf(fakeSet(silent()), nil)
	big := strings.Repeat("x", 1<<20)
	for _, test := range []struct {
		name, method, body string
		status             int
		want               string
	}{
		{"GET, since there is no stream to open", http.MethodGet, "", 405, `"code":-32600`},
		{"DELETE, since there is no session to end", http.MethodDelete, "", 405, `"code":-32600`},
		{"a message over 1 MiB", http.MethodPost, `{"x":"` + big + `"}`, 413, "over the limit"},
		{"no message", http.MethodPost, "", 400, `"code":-32700`},
		{"only space", http.MethodPost, "  \n", 400, `"code":-32700`},
		{"null", http.MethodPost, "null", 400, `"code":-32600`},
		{"a thousand brackets", http.MethodPost, strings.Repeat("[", 100_000), 400, `"code":-32700`},
		{"deep nesting in params", http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + "}", 400, `"code":-32600`},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := post(h, httptest.NewRequest(test.method, "/mcp", nil), test.body)
			if rec.Code != test.status || rec.Header().Get("Content-Type") != "application/json" || !strings.Contains(rec.Body.String(), test.want) {
				t.Errorf("%d %s %.200s, want %d and %s", rec.Code, rec.Header().Get("Content-Type"), rec.Body, test.status, test.want)
			}
			if test.status == 405 && rec.Header().Get("Allow") != "POST" {
				t.Errorf("Allow is %q, want POST", rec.Header().Get("Allow"))
			}
		})
	}
}

func TestArgumentsOfAnyBytesAreRefusedAsArguments(t *testing.T) {
	h := handlerOf(fakeSet(silent()), nil)
	for name, args := range map[string]string{
		"invalid UTF-8":      "{\"text\":\"\xff\xfe\"}",
		"an unpaired escape": `{"text":"\ud800","times":0}`,
		"a 10 kB name":       `{"` + strings.Repeat("n", 10_000) + `":1}`,
		"a number too big":   `{"text":"x","times":1e999}`,
	} {
		t.Run(name, func(t *testing.T) {
			rec := post(h, httptest.NewRequest(http.MethodPost, "/mcp", nil),
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":`+args+`}}`)
			if rec.Code != 200 || !strings.Contains(rec.Body.String(), `"error":"invalid_arguments"`) || rec.Body.Len() > 2000 {
				t.Errorf("%d with %d bytes: %.300s", rec.Code, rec.Body.Len(), rec.Body)
			}
		})
	}
}
