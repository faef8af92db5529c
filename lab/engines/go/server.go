package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The most bytes that the messages of a random run may have together.
const maxRandomBytes = 1 << 30

// A refusal is what the library can't do, other than an error of the request.
type refusal struct{ reason string }

func (r refusal) Error() string { return r.reason }

func refuse(format string, values ...any) error { return refusal{fmt.Sprintf(format, values...)} }

type server struct {
	sampler *sampler
	digests map[task]string
}

func newServer() *server { return &server{digests: map[task]string{}} }

// answer is the reply to one line, whatever it holds.
func (s *server) answer(text string) (reply line) {
	defer func() {
		// The library panics on what it does not take.
		if cause := recover(); cause != nil {
			reply = newLine("error").with("reason", fmt.Sprint(cause))
		}
	}()
	l, err := readLine(text)
	if err == nil {
		reply, err = s.perform(l)
	}
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return newLine("refused").with("reason", refused.reason)
	case err != nil:
		return newLine("error").with("reason", err.Error())
	}
	return reply
}

func (s *server) perform(l line) (line, error) {
	switch l.word {
	case "describe":
		return describe(), only(l)
	case "check":
		if _, random := l.get("random"); random {
			return s.randomRun(l)
		}
		if err := only(l, taskKeys...); err != nil {
			return line{}, err
		}
		t, err := readTask(l)
		if err != nil {
			return line{}, err
		}
		digest, err := s.check(t)
		return newLine("ok").with("digest", digest), err
	case "measure":
		return s.measure(l)
	default:
		return line{}, fmt.Errorf("unknown verb `%s`; known: describe, check, measure", l.word)
	}
}

// admit finds the operation of a task, or says why it can't be done.
func admit(t task) (*operation, error) {
	o := find(t.algorithm, t.operation)
	if o == nil {
		return nil, refuse("gmsm has no %s/%s", t.algorithm, t.operation)
	}
	what := "gmsm: " + t.algorithm + "/" + t.operation
	shape := o.shape()
	switch {
	case t.level != "-":
		return nil, refuse("%s has no level `%s`; it has -", what, t.level)
	case !slices.Contains(o.models, t.single()):
		return nil, refuse("%s can't be measured in model %s", what, t.single())
	case t.nonceBytes != uint64(o.nonceBytes):
		return nil, refuse("%s takes no IV of %d bytes", what, t.nonceBytes)
	case t.messages != 1 && t.model != "batch":
		return nil, refuse("model %s has one message a call, not %d", t.model, t.messages)
	case t.threads != 1:
		return nil, refuse("%s, model %s, works on one thread, not %d", what, t.model, t.threads)
	case t.aadBytes != 0 && shape != shapeSeal && shape != shapeOpen:
		return nil, refuse("%s has no associated data", what)
	case shape == shapeOpen && t.placement != "disjoint":
		return nil, refuse("%s is measured disjoint, not %s", what, t.placement)
	case shape == shapeMAC && t.placement != "in-place":
		return nil, refuse("%s is measured in-place, not %s", what, t.placement)
	}
	uneven := t.callBytes()%uint64(o.granule) != 0
	if t.mix != "equal" {
		uneven = mixGranule(t.size)%uint64(o.granule) != 0
	}
	if uneven {
		return nil, refuse("%s: %d bytes are not whole blocks of %d", what, t.size, o.granule)
	}
	return o, nil
}

// ready makes keys and messages of a task of that size, sealed where the operation opens.
func ready(t task, o *operation, size uint64) (keyring, []message, error) {
	if size > 1<<31 {
		return keyring{}, nil, refuse("not enough memory for %d bytes", size)
	}
	count := buffers(t, size)
	keys := newKeyring(t.seed, max(ringSlots, count), uint64(o.keyBytes), t.nonceBytes, t.aadBytes)
	ring := newRing(t, lengths(t, size, count), keys, o.shape(), o.tagBytes)
	return keys, ring, seal(o, keys, ring)
}

func seal(o *operation, keys keyring, ring []message) error {
	if o.shape() != shapeOpen {
		return nil
	}
	work, err := o.sealing().prepare("message", keys)
	for i := 0; err == nil && i < len(ring); i++ {
		sealing := ring[i].asSealing()
		err = work(&sealing)
	}
	return err
}

func (s *server) check(t task) (string, error) {
	o, err := admit(t)
	if err != nil {
		return "", err
	}
	if known, found := s.digests[t]; found {
		return known, nil
	}
	model, size := t.single(), t.callBytes()
	if isSetup(model) {
		size = setupCheckBytes
		// Set-up leaves no output: what it set up is put to work.
		model = map[string]string{"init": "packet", "key": "message"}[model]
	}
	keys, ring, err := ready(t, o, size)
	if err != nil {
		return "", err
	}
	work, err := o.prepare(model, keys)
	if err != nil {
		return "", err
	}
	outputs := newDigest()
	for i := range ring {
		if err := work(&ring[i]); err != nil {
			return "", err
		}
	}
	for i := range ring {
		outputs.absorb(&ring[i])
	}
	s.digests[t] = outputs.text()
	return s.digests[t], nil
}

func (s *server) randomRun(l line) (line, error) {
	if err := only(l, append(taskKeys, "random", "least", "granule")...); err != nil {
		return line{}, err
	}
	t, err := readTask(l)
	if err != nil {
		return line{}, err
	}
	var d draw
	if d.messages, err = l.number("random", 1, 1, 10_000); err != nil {
		return line{}, err
	}
	if d.least, err = l.number("least", 0, 0, t.size); err != nil {
		return line{}, err
	}
	if d.granule, err = l.number("granule", 1, 1, noBound); err != nil {
		return line{}, err
	}
	// Every message has a placement of its own.
	placed := t
	if o := find(t.algorithm, t.operation); o != nil && o.shape() == shapeOpen {
		placed.placement = "disjoint"
	}
	o, err := admit(placed)
	switch {
	case err != nil:
		return line{}, err
	case t.single() != "packet" && t.single() != "message":
		return line{}, refuse("model %s has no random messages", t.model)
	case d.granule%uint64(o.granule) != 0 || d.least%uint64(o.granule) != 0:
		return line{}, refuse("lengths of random messages must be whole blocks of %d", o.granule)
	case t.size > maxRandomBytes/d.messages:
		return line{}, refuse("random messages may have %d bytes together", maxRandomBytes)
	}
	keys := newKeyring(t.seed, int(d.messages), uint64(o.keyBytes), t.nonceBytes, 0)
	messages := newRandom(t, d, o, keys)
	if err := seal(o, keys, messages); err != nil {
		return line{}, err
	}
	work, err := o.prepare(t.single(), keys)
	if err != nil {
		return line{}, err
	}
	outputs := newDigest()
	for i := range messages {
		if err := work(&messages[i]); err != nil {
			return line{}, err
		}
		outputs.absorb(&messages[i])
	}
	return newLine("ok").with("digest", outputs.text()), nil
}

func (s *server) measure(l line) (line, error) {
	if err := only(l, append(taskKeys, "samples", "budget_us", "around_us", "single")...); err != nil {
		return line{}, err
	}
	t, err := readTask(l)
	if err != nil {
		return line{}, err
	}
	if _, beside := l.get("around_us"); beside {
		return line{}, refuse("gmsm is not measured beside others")
	}
	var times timing
	if times.samples, err = l.number("samples", 21, 3, 10_001); err != nil {
		return line{}, err
	}
	if times.samples%2 == 0 {
		return line{}, fmt.Errorf("`samples` is `%d`; allowed: an odd number", times.samples)
	}
	if times.budget, err = l.number("budget_us", 0, 0, noBound); err != nil {
		return line{}, err
	}
	digest, err := s.check(t)
	if err != nil {
		return line{}, err
	}
	o, err := admit(t)
	if err != nil {
		return line{}, err
	}
	keys, ring, err := ready(t, o, t.callBytes())
	if err != nil {
		return line{}, err
	}
	work, err := o.prepare(t.single(), keys)
	if err != nil {
		return line{}, err
	}
	if s.sampler == nil {
		s.sampler = newSampler()
	}
	// What earlier requests left is not this one's to collect.
	runtime.GC()
	before := s.sampler.canaries()
	turned, told := turns()
	repeats, samples, err := s.sampler.take(walk(t, o, keys, ring, work), times)
	if err != nil {
		return line{}, err
	}
	now, _ := turns()
	after := s.sampler.canaries()
	texts := make([]string, len(samples))
	for i, sample := range samples {
		texts[i] = strconv.FormatInt(sample, 10)
	}
	reply := newLine("ok").with("clock", "wall").with("digest", digest).
		with("repeats", repeats).with("call_bytes", t.callBytes()).
		with("chain", pair(before.chain, after.chain)).with("load", pair(before.load, after.load))
	if told {
		reply = reply.with("switches", now-turned)
	}
	remark := o.remark
	if o.limit != 0 && (t.size > o.limit || t.model == "stream") {
		reply = reply.with("flag", "outside the specification")
		remark = fmt.Sprintf("ZUC-256 allows %d bytes under one key and IV", o.limit)
	}
	if remark != "" {
		reply = reply.with("remark", remark)
	}
	return reply.with("samples", strings.Join(texts, ",")), nil
}
