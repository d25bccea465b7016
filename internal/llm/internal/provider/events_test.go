package provider

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readAll(t testing.TB, src io.Reader) (events []string, failure error) {
	t.Helper()
	r := NewEventReader(src)
	defer r.Free()
	for {
		data, err := r.Next()
		if err != nil {
			if !r.Ended() && !errors.Is(err, ErrEventTooLarge) && err == io.EOF {
				t.Errorf("io.EOF, but something is left")
			}
			return events, err
		}
		events = append(events, string(data))
	}
}

func TestEventReader(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []string
	}{
		{"one", "data: a\n\n", []string{"a"}},
		{"no space", "data:a\n\ndata:  b\n\n", []string{"a", " b"}},
		{"crlf", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"cr", "data: a\r\rdata: b\r\r", []string{"a", "b"}},
		{"comments", ": hi\n\n:\n\ndata: a\n: more\n\n", []string{"a"}},
		{"other fields", "event: x\nid: 1\nretry: 5\ndata: a\ndatax: no\n\n", []string{"a"}},
		{"joined", "data: a\ndata: b\ndata\n\n", []string{"a\nb\n"}},
		{"empty data", "data\n\ndata:\n\n", []string{"", ""}},
		{"no last blank line", "data: a\n\ndata: b", []string{"a", "b"}},
		{"no last blank line but an end of line", "data: b\n", []string{"b"}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []string{"a"}},
		{"only comments", ": a\n: b\n", nil},
		{"nothing", "", nil},
		{"bare JSON", "{\"error\":1}\n\n", []string{`{"error":1}`}},
		{"large", "data: " + strings.Repeat("x", 3*firstBuffer) + "\n\ndata: b\n\n", []string{strings.Repeat("x", 3*firstBuffer), "b"}},
		{"many comments", strings.Repeat(": keep-alive\n\n", 5000) + "data: a\n\n", []string{"a"}},
	}
	readers := map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader,
		"halves": iotest.HalfReader, "data with error": iotest.DataErrReader,
	}
	for _, tt := range tests {
		for how, reader := range readers {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				got, err := readAll(t, reader(strings.NewReader(tt.in)))
				if err != io.EOF || !slices.Equal(got, tt.want) {
					t.Errorf("got %.200q, %v; want %.200q", got, err, tt.want)
				}
			})
		}
	}
}

func TestEventReaderErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	got, err := readAll(t, io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !slices.Equal(got, []string{"a"}) {
		t.Errorf("broken: got %q, %v", got, err)
	}
	endless := io.MultiReader(strings.NewReader("data: "), &endlessReader{})
	if _, err := readAll(t, endless); !errors.Is(err, ErrEventTooLarge) {
		t.Errorf("endless: %v", err)
	}
	if _, err := readAll(t, idleReader{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("idle: %v", err)
	}
	for in, want := range map[string]error{"It works!\n": ErrNoStream, "HTTP/1.1 200\r\n\r\n": ErrNoStream, ": hi\nretry: 3\n": io.EOF, "oops\ndata: a\n\n": io.EOF} {
		if _, err := readAll(t, strings.NewReader(in)); err != want {
			t.Errorf("%q: %v, want %v", in, err, want)
		}
	}
}

type endlessReader struct{}

func (*endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

// splitPlainly is the framing rule without any concern for speed.
func splitPlainly(in []byte) (events []string) {
	in = bytes.TrimPrefix(in, []byte("\xef\xbb\xbf"))
	text := strings.ReplaceAll(strings.ReplaceAll(string(in), "\r\n", "\n"), "\r", "\n")
	var data []string
	for _, line := range append(strings.Split(text, "\n"), "") {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && data != nil:
			events, data = append(events, strings.Join(data, "\n")), nil
		case strings.HasPrefix(line, "{"):
			data = append(data, line)
		case name == "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return events
}

// FuzzEventReader compares the reader with the plain rule, for any way in which
// the bytes may arrive.
func FuzzEventReader(f *testing.F) {
	f.Add([]byte("data: a\n\n: c\r\ndata: b\r\n\r\n"), uint8(3))
	f.Add([]byte("\xef\xbb\xbfdata: a\rdata\r\rdata:x"), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		got, err := readAll(t, &stepReader{in: in, step: int(step) + 1})
		want := splitPlainly(in)
		if err == ErrNoStream && len(want) == 0 {
			err = io.EOF // lines of something else
		}
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	})
}

// stepReader gives step bytes at a time.
type stepReader struct {
	in   []byte
	step int
}

func (r *stepReader) Read(p []byte) (int, error) {
	if len(r.in) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.in[:min(r.step, len(r.in))])
	r.in = r.in[n:]
	return n, nil
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, want string
		err      error
	}{
		{` {"a": [1]} and more`, `{"a": [1]}`, nil},
		{`{"a": oops}`, "", ErrNoStream},
		{`{"a": `, "", io.ErrUnexpectedEOF},
		{`["` + strings.Repeat("x", MaxEvent) + `"]`, "", ErrEventTooLarge},
	}
	for _, tt := range tests {
		if got, err := ReadJSON(strings.NewReader(tt.in)); string(got) != tt.want || err != tt.err {
			t.Errorf("%.20q: %.20q, %v", tt.in, got, err)
		}
	}
	// What follows the value is not waited for.
	r, w := io.Pipe()
	go func() { io.WriteString(w, "{}") }()
	if got, err := ReadJSON(r); string(got) != "{}" || err != nil {
		t.Errorf("an open connection: %q, %v", got, err)
	}
	r.Close()
}
