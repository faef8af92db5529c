package main

import "time"

// A sample lasts at least so long.
const sampleTime = 15 * time.Microsecond

// A sampler times calls on the monotonic clock.
type sampler struct{ overhead time.Duration }

// newSampler finds what two readings with nothing between are apart.
func newSampler() *sampler {
	least := time.Hour
	for range 1000 {
		start := time.Now()
		least = min(least, time.Since(start))
	}
	return &sampler{least}
}

// A route is the calls of a series, each on the next message or batch.
type route struct {
	call func() error
	// A sample has a multiple of so many calls.
	unit int
}

// walk leads work through the ring.
func walk(t task, o *operation, keys keyring, ring []message, work work) route {
	if t.model == "batch" {
		return batches(t, ring, work)
	}
	slot, buffer := 0, 0
	return route{unit: 1, call: func() error {
		m := &ring[buffer]
		m.slot, m.key, m.iv, m.aad = slot, keys.keys[slot], keys.ivs[slot], keys.aads[slot]
		err := work(m)
		if t.model == "latency" {
			return err
		}
		slot = (slot + 1) % ringSlots
		buffer++
		if buffer == len(ring) {
			buffer = 0
			// What was sealed opens under no other key.
			if o.shape() == shapeOpen {
				slot = 0
			}
		}
		return err
	}}
}

func batches(t task, ring []message, work work) route {
	count := len(ring) / int(t.messages)
	next, unit := 0, 1
	if t.mix != "equal" {
		unit = count
	}
	return route{unit: unit, call: func() error {
		first := next * int(t.messages)
		for i := first; i < first+int(t.messages); i++ {
			if err := work(&ring[i]); err != nil {
				return err
			}
		}
		next = (next + 1) % count
		return nil
	}}
}

// take finds how many calls fill a sample, then takes the samples, in nanoseconds.
func (s *sampler) take(r route, times timing) (int, []int64, error) {
	repeats, each, err := s.calibrate(r)
	if err != nil {
		return 0, nil, err
	}
	count := times.samples
	if times.budget != 0 {
		affordable := times.budget * 1000 / uint64(max(each, 1))
		count = max(min(count, affordable), 3)
		count -= 1 - count%2
	}
	samples := make([]int64, count)
	for i := range samples {
		duration, err := s.time(r, repeats)
		if err != nil {
			return 0, nil, err
		}
		samples[i] = int64(duration)
	}
	return repeats, samples, nil
}

func (s *sampler) calibrate(r route) (int, time.Duration, error) {
	repeats := r.unit
	for {
		// The lesser of two: an interruption must not pass for work.
		first, err := s.time(r, repeats)
		if err != nil {
			return 0, 0, err
		}
		// Long work is not done twice; the first call of short work may have waited for memory.
		if repeats == r.unit && first > 1000*sampleTime {
			return repeats, first, nil
		}
		second, err := s.time(r, repeats)
		if err != nil {
			return 0, 0, err
		}
		lesser := min(first, second)
		if lesser >= sampleTime {
			return repeats, lesser, nil
		}
		wanted := int(float64(repeats) * 1.1 * float64(sampleTime) / float64(lesser))
		repeats = min(max(wanted, repeats+1), 8*repeats)
		repeats = (repeats + r.unit - 1) / r.unit * r.unit
	}
}

func (s *sampler) time(r route, repeats int) (time.Duration, error) {
	start := time.Now()
	for range repeats {
		if err := r.call(); err != nil {
			return 0, err
		}
	}
	return max(time.Since(start)-s.overhead, 1), nil
}
