package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A line is a word and fields in order.
type line struct {
	word   string
	fields []field
}

type field struct{ key, value string }

func newLine(word string) line { return line{word: word} }

func (l line) with(key string, value any) line {
	l.fields = append(l.fields, field{key, fmt.Sprint(value)})
	return l
}

// String writes the line; in values the bytes 0 to 32, % and 127 are escaped.
func (l line) String() string {
	var text strings.Builder
	text.WriteString(l.word)
	for _, f := range l.fields {
		text.WriteString(" " + f.key + "=")
		for _, b := range []byte(f.value) {
			if b <= ' ' || b == '%' || b == 0x7f {
				fmt.Fprintf(&text, "%%%02X", b)
			} else {
				text.WriteByte(b)
			}
		}
	}
	return text.String()
}

func readLine(text string) (line, error) {
	if len(text) > maxLine {
		return line{}, fmt.Errorf("the line is longer than %d bytes", maxLine)
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return line{}, fmt.Errorf("an empty line")
	}
	read := newLine(words[0])
	for _, word := range words[1:] {
		key, value, found := strings.Cut(word, "=")
		if !found {
			return line{}, fmt.Errorf("`%s` is no key=value", word)
		}
		plain, err := unescape(value)
		if err != nil {
			return line{}, fmt.Errorf("the escape in `%s` is broken", key)
		}
		if _, twice := read.get(key); twice {
			return line{}, fmt.Errorf("the key `%s` stands twice", key)
		}
		read = read.with(key, plain)
	}
	return read, nil
}

func unescape(text string) (string, error) {
	var plain []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			plain = append(plain, text[i])
			continue
		}
		if i+3 > len(text) {
			return "", strconv.ErrSyntax
		}
		b, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return "", err
		}
		plain = append(plain, byte(b))
		i += 2
	}
	return string(plain), nil
}

func (l line) get(key string) (string, bool) {
	for _, f := range l.fields {
		if f.key == key {
			return f.value, true
		}
	}
	return "", false
}

func (l line) text(key, usual string) string {
	if value, found := l.get(key); found {
		return value
	}
	return usual
}

// number is the value of a key between two bounds; `usual` if it is not there.
func (l line) number(key string, usual, least, most uint64) (uint64, error) {
	text, found := l.get(key)
	if !found {
		return usual, nil
	}
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil || value < least || value > most {
		return 0, fmt.Errorf("`%s` is `%s`; allowed: %d to %d", key, text, least, most)
	}
	return value, nil
}
