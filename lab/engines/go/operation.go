package main

import (
	"fmt"
	"strings"
)

// A session is what the library keeps under a key.
type session interface {
	// start sets a fresh key and an IV; what is nil keeps what was set.
	start(key, iv []byte) error
	// message processes a whole message after start.
	message(m *message) error
	// piece processes the next piece of a stream after start.
	piece(m *message) error
}

// An operation of the library.
type operation struct {
	algorithm, name                         string
	models                                  []string
	keyBytes, nonceBytes, granule, tagBytes int
	open                                    func() session
	// The most bytes that the specification allows under one key and IV; 0 for no bound.
	limit uint64
	// What a reader must know of its figures.
	remark string
}

func (o *operation) offer() string {
	// Whatever is measured one by one is measured in batches, too.
	models := strings.Join(o.models, ",") + ",batch"
	return fmt.Sprintf("%s/%s:-:%s:%d:%d:%d:%d", o.algorithm, o.name, models, o.keyBytes,
		o.nonceBytes, o.granule, o.tagBytes)
}

func (o *operation) shape() int {
	switch {
	case o.tagBytes == 0:
		return shapeCipher
	case strings.HasSuffix(o.name, "-open"):
		return shapeOpen
	case strings.HasSuffix(o.name, "-seal"), strings.Contains(o.name, "+"):
		return shapeSeal
	default:
		return shapeMAC
	}
}

// sealing is the operation that makes what this one opens.
func (o *operation) sealing() *operation {
	mode := strings.TrimSuffix(o.name, "-open")
	if sealed := find(o.algorithm, mode+"-seal"); sealed != nil {
		return sealed
	}
	return find(o.algorithm, mode)
}

func find(algorithm, name string) *operation {
	for i := range operations {
		if operations[i].algorithm == algorithm && operations[i].name == name {
			return &operations[i]
		}
	}
	return nil
}

// operations is all that is offered.
var operations = append(sm4Operations(), zucOperations()...)

// knownWrong is what the library computes wrongly or lacks, with the reason.
var knownWrong = []string{
	"sm4/hctr:gmsm v0.44.0 hashes the wrong bytes of the tweak where the part that is hashed is " +
		"not a whole number of blocks (cipher/hctr.go)",
	"sm4/hctr-encrypt:gmsm v0.44.0 hashes the wrong bytes of the tweak where the part that is " +
		"hashed is not a whole number of blocks (cipher/hctr.go)",
	"sm4/hctr-decrypt:gmsm v0.44.0 hashes the wrong bytes of the tweak where the part that is " +
		"hashed is not a whole number of blocks (cipher/hctr.go)",
	"sm4/cfb8-encrypt:crypto/cipher has no CFB with feedback of 8 bits",
	"sm4/cfb8-decrypt:crypto/cipher has no CFB with feedback of 8 bits",
	"zuc-256-2021/keystream:zuc.NewCipher has ZUC-256 of 2018 only",
	"zuc-256-2023/keystream:zuc.NewCipher has ZUC-256 of 2018 only",
	"zuc-256-2023/nea6:zuc.NewCipher has ZUC-256 of 2018 only",
	"zuc-256-2023/nia6:zuc.NewHash256 has ZUC-256 of 2018 only",
}

// A work processes one message.
type work func(m *message) error

// prepare makes the work of a model.
func (o *operation) prepare(model string, keys keyring) (work, error) {
	switch model {
	case "init", "packet":
		s := o.open()
		return func(m *message) error {
			if err := s.start(m.key, m.iv); err != nil {
				return err
			}
			return s.message(m)
		}, nil
	case "key":
		s := o.open()
		return func(m *message) error { return s.start(m.key, nil) }, nil
	case "message", "latency":
		ready := make([]session, len(keys.keys))
		for slot := range ready {
			ready[slot] = o.open()
			if err := ready[slot].start(keys.keys[slot], keys.ivs[slot]); err != nil {
				return nil, err
			}
		}
		return func(m *message) error {
			s := ready[m.slot]
			if len(m.iv) > 0 {
				if err := s.start(nil, m.iv); err != nil {
					return err
				}
			}
			return s.message(m)
		}, nil
	case "stream":
		s := o.open()
		if err := s.start(keys.keys[0], keys.ivs[0]); err != nil {
			return nil, err
		}
		return s.piece, nil
	default:
		return nil, fmt.Errorf("gmsm can't be measured in model %s", model)
	}
}
