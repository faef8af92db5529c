package main

import (
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// Two small pieces of work around every series, and the system's count of interruptions, by which
// the laboratory tells a disturbed one: lab/src/canary.rs says how.

const (
	chainSteps  = 16_000
	loadRounds  = 500
	canaryTries = 3
)

// canaries are of one moment: nanoseconds per dependent step, and per round of the loop.
type canaries struct{ chain, load float64 }

// What the loops compute goes here, so that they are not left out.
var canarySink uint64

func (s *sampler) canaries() canaries {
	each := s.least(func() { canarySink += chain(canarySink|1, chainSteps) })
	return canaries{chain: each / chainSteps, load: s.least(throughput)}
}

// least is the least of a few times, in nanoseconds.
func (s *sampler) least(work func()) float64 {
	least := math.MaxFloat64
	for range canaryTries {
		start := time.Now()
		work()
		least = min(least, float64(max(time.Since(start)-s.overhead, 1)))
	}
	return least
}

// chain takes a core cycle a step: each waits for the one before. Of additions alone the compiler
// makes one instruction of two.
//
//go:noinline
func chain(a uint64, steps int) uint64 {
	b := uint64(1)
	for range steps / 16 {
		a += b
		b ^= a
		a += b
		b ^= a
		a += b
		b ^= a
		a += b
		b ^= a
		a += b
		b ^= a
		a += b
		b ^= a
		a += b
		b ^= a
		a += b
		b ^= a
	}
	return b
}

// throughput fills the units for ordinary integers, which a neighbour on the same core halves.
func throughput() {
	lanes := [8]uint64{1, 2, 3, 4, 5, 6, 7, canarySink | 8}
	for range loadRounds {
		for i := range lanes {
			lanes[i] = (lanes[i] ^ lanes[i]>>29) * 0xbf58_476d_1ce4_e5b9
		}
	}
	for _, lane := range lanes {
		canarySink ^= lane
	}
}

// turns is how often this thread was put on a CPU, where the system tells (proc_pid_schedstat(5)).
func turns() (uint64, bool) {
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(text))
	if len(fields) < 3 {
		return 0, false
	}
	count, err := strconv.ParseUint(fields[2], 10, 64)
	return count, err == nil
}

// pair is a field's value of both moments.
func pair(before, after float64) string {
	return strconv.FormatFloat(before, 'g', 8, 64) + "," + strconv.FormatFloat(after, 'g', 8, 64)
}
