package main

import "encoding/binary"

// What a string of bytes is for.
const (
	kindKey    = 1
	kindIV     = 2
	kindData   = 3
	kindAAD    = 4
	kindLength = 5
	kindDraw   = 6
)

// Keys and IVs of the ring, and the bytes that its buffers may fill together.
const (
	ringSlots = 64
	ringBytes = 1 << 20
)

// The length of the messages on which init and key are checked.
const setupCheckBytes = 64

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// fill writes the bytes of that seed, kind and message number, which are the same in every
// engine.
func fill(seed uint64, kind, index uint64, out []byte) {
	state := mix(mix(seed+golden) + kind<<32 + index)
	for len(out) > 0 {
		state += golden
		word := mix(state)
		if word == 0 {
			word = golden
		}
		var eight [8]byte
		binary.LittleEndian.PutUint64(eight[:], word)
		out = out[copy(out, eight[:]):]
	}
}

func generate(seed uint64, kind, index uint64, length int) []byte {
	out := make([]byte, length)
	fill(seed, kind, index, out)
	return out
}

// Twelve messages of the simple Internet mix, in bytes.
var imix = [12]uint64{40, 40, 40, 40, 40, 40, 40, 576, 576, 576, 576, 1500}

func roundUp(value, granule uint64) uint64 { return (value + granule - 1) / granule * granule }

// mixGranule is the block that lengths of the mix are rounded up to, told by their mean; 0 if
// it is the mean of none.
func mixGranule(size uint64) uint64 {
	for _, granule := range []uint64{1, 8, 16} {
		total := uint64(0)
		for _, length := range imix {
			total += roundUp(length, granule)
		}
		if (total+6)/12 == size {
			return granule
		}
	}
	return 0
}

// lengths of the messages of a task.
func lengths(t task, size uint64, count int) []int {
	all := make([]int, 0, count+len(imix))
	if t.mix == "equal" {
		for len(all) < count {
			all = append(all, int(size))
		}
		return all
	}
	granule := mixGranule(t.size)
	for dozen := uint64(0); len(all) < count; dozen++ {
		twelve := imix
		words := generate(t.seed, kindLength, dozen, 8*(len(imix)-1))
		for place := len(imix) - 1; place > 0; place-- {
			word := binary.LittleEndian.Uint64(words[8*(len(imix)-1-place):])
			other := word % uint64(place+1)
			twelve[place], twelve[other] = twelve[other], twelve[place]
		}
		for _, length := range twelve {
			all = append(all, int(roundUp(length, granule)))
		}
	}
	return all[:count]
}

// buffers is how many different messages of that length there are.
func buffers(t task, size uint64) int {
	size = max(size, 1)
	if t.model != "batch" {
		return int(min(max(ringBytes/size, 1), ringSlots))
	}
	least := t.messages
	if t.mix != "equal" {
		least *= 12 / gcd(12, t.messages)
	}
	wanted := (ringSlots + least - 1) / least
	if t.mix == "equal" {
		wanted = max(min(wanted, ringBytes/(size*least)), 1)
	}
	return int(least * wanted)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
