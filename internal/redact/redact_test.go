package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
	"testing"

	"assent/internal/redact"
)

const planted = `sk-"plant<ed>/se cret+1`

func TestNoFormOfASecretIsLeft(t *testing.T) {
	t.Parallel()
	r := redact.New(planted, "short", "")
	escaped, err := json.Marshal(map[string]string{"v": planted})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"as it is":     "key " + planted + ".",
		"twice":        planted + planted,
		"JSON":         string(escaped),
		"JSON in JSON": `{"v":"sk-\"plant<ed>/se cret+1"}`,
		"a query":      "https://x.example/?key=" + url.QueryEscape(planted),
		"a path":       "https://x.example/" + url.PathEscape(planted),
		"base64":       base64.StdEncoding.EncodeToString([]byte(planted)),
		"URL base64":   base64.RawURLEncoding.EncodeToString([]byte(planted)),
	} {
		got := r.Text(text)
		if strings.Contains(got, "cret+1") || strings.Contains(got, "cret%2B1") || !strings.Contains(got, redact.Mark) {
			t.Errorf("%s: %s becomes %s", name, text, got)
		}
		if json.Valid([]byte(text)) && !json.Valid(r.JSON(json.RawMessage(text))) {
			t.Errorf("%s: %s is no JSON any more", name, r.JSON(json.RawMessage(text)))
		}
	}
	for _, text := range []string{"", "a short word", "nothing here"} {
		if r.Text(text) != text || string(r.JSON(json.RawMessage(text))) != text {
			t.Errorf("%q becomes %q", text, r.Text(text))
		}
	}
}

func TestASecretWithinAnotherLeavesNothingOfEither(t *testing.T) {
	t.Parallel()
	r := redact.New("abcdefgh", "abcdefghij")
	if got := r.Text("abcdefghij abcdefgh"); got != redact.Mark+" "+redact.Mark {
		t.Errorf("left is %q", got)
	}
}

func TestSecretsMayComeAtAnyTime(t *testing.T) {
	t.Parallel()
	var none *redact.Redactor
	if none.Text(planted) != planted {
		t.Error("no redactor knows a secret")
	}
	r := redact.New()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { r.Add(planted) })
		wg.Go(func() { r.Text(planted) })
	}
	wg.Wait()
	if got := r.Text(planted); got != redact.Mark {
		t.Errorf("left is %q", got)
	}
}

func BenchmarkLongTextWithoutASecret(b *testing.B) {
	r := redact.New("sk-0123456789abcdef0123456789", "AIza0123456789abcdef0123456789", "another secret of some length")
	text := strings.Repeat("Nothing of what stands here is a secret. ", 4000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if r.Text(text) != text {
			b.Fatal("changed")
		}
	}
}
