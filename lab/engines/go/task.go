package main

import (
	"fmt"
	"slices"
	"strings"
)

// A task is the work of a request: a cell with its seed and buffer.
type task struct {
	algorithm, operation, model, level, keys, mix, placement string
	size, messages, threads, nonceBytes, aadBytes, seed      uint64
	// The longest buffer in bytes; a longer message loops over it.
	buffer uint64
}

// The messages of a random run: how many, their least length and the step of lengths.
type draw struct{ messages, least, granule uint64 }

// How many samples, and how long they may take in microseconds; 0 for no bound.
type timing struct{ samples, budget uint64 }

const noBound = ^uint64(0)

var taskKeys = []string{
	"algorithm", "operation", "model", "level", "size", "messages", "keys", "mix", "threads",
	"placement", "unaligned", "cold", "nonce_bytes", "aad_bytes", "seed", "buffer",
}

func only(l line, known ...string) error {
	for _, f := range l.fields {
		if !slices.Contains(known, f.key) {
			return fmt.Errorf("unknown key `%s`; known: %s", f.key, strings.Join(known, ", "))
		}
	}
	return nil
}

func isSetup(model string) bool { return model == "init" || model == "key" }

// usualKeys says whether the key set-up is inside the clock.
func usualKeys(model string) string {
	if isSetup(model) || model == "packet" {
		return "fresh"
	}
	return "ready"
}

func readTask(l line) (task, error) {
	t := task{
		algorithm: l.text("algorithm", ""),
		operation: l.text("operation", ""),
		model:     l.text("model", ""),
		level:     l.text("level", "-"),
		mix:       l.text("mix", "equal"),
		placement: l.text("placement", "in-place"),
	}
	t.keys = l.text("keys", usualKeys(t.model))
	for _, number := range []struct {
		to                 *uint64
		key                string
		usual, least, most uint64
	}{
		{&t.size, "size", 0, 0, noBound},
		{&t.messages, "messages", 1, 1, 1 << 16},
		{&t.threads, "threads", 1, 1, noBound},
		{&t.nonceBytes, "nonce_bytes", 0, 0, 1 << 20},
		{&t.aadBytes, "aad_bytes", 0, 0, 1 << 20},
		{&t.seed, "seed", 1, 0, noBound},
		{&t.buffer, "buffer", noBound, 4096, noBound},
	} {
		value, err := l.number(number.key, number.usual, number.least, number.most)
		if err != nil {
			return t, err
		}
		*number.to = value
	}
	for _, choice := range []struct {
		key, value string
		allowed    []string
	}{
		{"model", t.model, []string{"init", "key", "stream", "packet", "message", "batch", "latency"}},
		{"keys", t.keys, []string{"fresh", "ready"}},
		{"mix", t.mix, []string{"equal", "imix"}},
		{"placement", t.placement, []string{"in-place", "disjoint"}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			allowed := strings.Join(choice.allowed, ", ")
			return t, fmt.Errorf("`%s` is `%s`; allowed: %s", choice.key, choice.value, allowed)
		}
	}
	if l.text("unaligned", "0") != "0" {
		return t, refuse("gmsm has no choice where buffers begin")
	}
	if l.text("cold", "false") != "false" {
		return t, refuse("gmsm is measured with warm caches only")
	}
	if t.keys != usualKeys(t.model) && t.model != "batch" {
		return t, fmt.Errorf("`keys` is `%s`; allowed: %s for model %s", t.keys, usualKeys(t.model), t.model)
	}
	if (t.size == 0) != isSetup(t.model) {
		return t, fmt.Errorf("`size` is `%d`, which model %s does not have", t.size, t.model)
	}
	if t.mix != "equal" && (t.model != "batch" || mixGranule(t.size) == 0) {
		return t, fmt.Errorf("`mix` is `%s`; allowed: equal but in model batch with the mean as size", t.mix)
	}
	return t, nil
}

// callBytes is the length of one message, or of the buffer where that is shorter.
func (t task) callBytes() uint64 { return min(t.size, t.buffer) }

// single is the model of one message of a batch.
func (t task) single() string {
	if t.model != "batch" {
		return t.model
	}
	if t.keys == "fresh" {
		return "packet"
	}
	return "message"
}
