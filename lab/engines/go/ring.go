package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"unsafe"
)

// A message of the ring. Input and output are the same where it is processed in place; both have
// room for a tag behind their data, as Go's AEADs want it.
type message struct {
	slot             int
	key, iv, aad     []byte
	input, output    []byte
	tag              []byte
	shape            int
	inPlace, sealing bool
}

// What an operation takes and leaves.
const (
	shapeCipher = iota
	shapeSeal
	shapeOpen
	shapeMAC
)

// The length of a cache line, between buffers and behind the last.
const cacheLine = 64

type keyring struct{ keys, ivs, aads [][]byte }

func newKeyring(seed uint64, slots int, keyBytes, nonceBytes, aadBytes uint64) keyring {
	var k keyring
	for slot := range uint64(slots) {
		k.keys = append(k.keys, generate(seed, kindKey, slot, int(keyBytes)))
		k.ivs = append(k.ivs, generate(seed, kindIV, slot, int(nonceBytes)))
		k.aads = append(k.aads, generate(seed, kindAAD, slot, int(aadBytes)))
	}
	return k
}

// arena is memory for so many buffers, each on a cache line of its own.
func arena(count, stride int) []byte {
	memory := make([]byte, count*stride+cacheLine)
	skip := -int(uintptr(unsafe.Pointer(&memory[0]))) & (cacheLine - 1)
	return memory[skip : skip+count*stride]
}

// newRing fills a message for each length; more slots than messages turn up in measuring only.
func newRing(t task, lengths []int, keys keyring, shape, tagBytes int) []message {
	longest := 0
	for _, length := range lengths {
		longest = max(longest, length)
	}
	stride := int(roundUp(uint64(longest), cacheLine)) + cacheLine
	inputs := arena(len(lengths), stride)
	outputs := inputs
	if t.placement == "disjoint" {
		outputs = arena(len(lengths), stride)
	}
	ring := make([]message, len(lengths))
	for i, length := range lengths {
		from, to := i*stride, (i+1)*stride
		ring[i] = message{
			slot: i, key: keys.keys[i], iv: keys.ivs[i], aad: keys.aads[i],
			input:   inputs[from : from+length : to],
			output:  outputs[from : from+length : to],
			tag:     make([]byte, tagBytes),
			shape:   shape,
			inPlace: t.placement == "in-place",
		}
		fill(t.seed, kindData, uint64(i), ring[i].input)
	}
	return ring
}

// newRandom draws the messages of a random run.
func newRandom(t task, d draw, o *operation, keys keyring) []message {
	shape := o.shape()
	all := make([]message, d.messages)
	for i := range all {
		number := uint64(i)
		words := generate(t.seed, kindDraw, number, 24)
		word := func(place int) uint64 { return binary.LittleEndian.Uint64(words[8*place:]) }
		length := int(d.least + d.granule*(word(0)%((t.size-d.least)/d.granule+1)))
		aad := uint64(0)
		if word(1)%4 != 0 {
			aad = word(1) / 4 % (t.aadBytes + 1)
		}
		inPlace := word(2)%2 == 0
		switch shape {
		case shapeOpen:
			inPlace = false
		case shapeMAC:
			inPlace = true
		}
		m := message{
			slot: i, key: keys.keys[i], iv: keys.ivs[i],
			aad:   generate(t.seed, kindAAD, number, int(aad)),
			input: make([]byte, length, length+cacheLine),
			tag:   make([]byte, o.tagBytes), shape: shape, inPlace: inPlace,
		}
		fill(t.seed, kindData, number, m.input)
		m.output = m.input
		if !inPlace {
			m.output = make([]byte, length, length+cacheLine)
		}
		all[i] = m
	}
	return all
}

// asSealing is the message that makes the input of one that opens.
func (m *message) asSealing() message {
	sealing := *m
	sealing.output, sealing.inPlace, sealing.shape, sealing.sealing = m.input, true, shapeSeal, true
	return sealing
}

// A digest of outputs in order, tags appended.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) absorb(m *message) {
	if m.shape != shapeMAC {
		d.Write(m.output)
	}
	if m.shape != shapeOpen {
		d.Write(m.tag)
	}
}

func (d digest) text() string { return hex.EncodeToString(d.Sum(nil)) }
