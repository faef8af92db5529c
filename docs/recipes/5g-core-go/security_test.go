package security

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func key(t *testing.T, digits string) (key [16]uint8) {
	t.Helper()
	copy(key[:], unhex(t, digits))
	return key
}

// TS 35.217 UEA2 set 1, TS 33.401 annex C.1 set 1, TS 35.223 128-EEA3 set 1: all but the last byte,
// of which not every bit is the message's.
func TestEncryptionOfTheSpecifications(t *testing.T) {
	for _, set := range []struct {
		identity          uint8
		key               string
		count             uint32
		bearer, direction uint8
		plain, cipher     string
	}{
		{
			1, "d3c5d592327fb11c4035c6680af8c6d1", 0x398a59b4, 0x15, 1,
			"981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
			"5d5bfe75eb04f68ce0a12377ea00b37d47c6a0ba06309155086a859c4341b3",
		},
		{
			2, "d3c5d592327fb11c4035c6680af8c6d1", 0x398a59b4, 0x15, 1,
			"981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
			"e9fed8a63d155304d71df20bf3e82214b20ed7dad2f233dc3c22d7bdeeed8e",
		},
		{
			3, "173d14ba5003731d7a60049470f00a29", 0x66035492, 15, 0,
			"6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b2",
			"a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc8",
		},
	} {
		data := unhex(t, set.plain)
		err := NASEncrypt(set.identity, key(t, set.key), set.count, set.bearer, set.direction, data)
		if err != nil || !bytes.Equal(data, unhex(t, set.cipher)) {
			t.Errorf("NEA%d: %x, %v", set.identity, data, err)
		}
	}
}

// TS 33.401 annex C: 128-EIA1 set 1 and 128-EIA2 sets 1 and 2; TS 35.223: 128-EIA3 set 1.
func TestIntegrityOfTheSpecifications(t *testing.T) {
	for _, set := range []struct {
		identity          uint8
		key               string
		count             uint32
		bearer, direction uint8
		message           string
		bits              uint64
		tag               string
	}{
		{
			1, "2bd6459f82c5b300952c49104881ff48", 0x38a6f056, 31, 0,
			"3332346263393861373479", 88, "731f1165",
		},
		{
			2, "2bd6459f82c5b300952c49104881ff48", 0x38a6f056, 0x18, 0,
			"3332346263393840", 58, "118c6eb8",
		},
		{
			2, "d3c5d592327fb11c4035c6680af8c6d1", 0x398a59b4, 0x1a, 1,
			"484583d5afe082ae", 64, "b93787e6",
		},
		{3, "00000000000000000000000000000000", 0, 0, 0, "00", 1, "c8a9595e"},
	} {
		k, message := key(t, set.key), unhex(t, set.message)
		tag, err := NASMacCalculateBits(set.identity, k, set.count, set.bearer, set.direction,
			message, set.bits)
		if err != nil || !bytes.Equal(tag, unhex(t, set.tag)) {
			t.Errorf("NIA%d: %x, %v", set.identity, tag, err)
		}
		if set.bits%8 != 0 {
			continue
		}
		for wrong := range []int{0, 1} {
			tag[3] ^= byte(wrong)
			right, err := NASMacVerify(set.identity, k, set.count, set.bearer, set.direction,
				message, tag)
			if err != nil || right != (wrong == 0) {
				t.Errorf("NIA%d: %v, %v", set.identity, right, err)
			}
		}
	}
}

func TestRefusalsNameWhatIsWrong(t *testing.T) {
	var k [16]uint8
	for _, set := range []struct {
		identity, bearer, direction uint8
		says                        string
	}{
		{4, 0, 0, "0 to 3"},
		{2, 32, 0, "31"},
		{1, 0, 2, "1"},
	} {
		err := NASEncrypt(set.identity, k, 0, set.bearer, set.direction, []byte{1})
		if err == nil || !strings.Contains(err.Error(), set.says) {
			t.Errorf("%+v: %v", set, err)
		}
	}
	if _, err := NASMacCalculate(0, k, 0, 0, 0, nil); err == nil {
		t.Error("the null algorithm has no tag to be sure of")
	}
	if err := NASEncrypt(0, k, 0, 0, 0, []byte{1}); err != nil {
		t.Error(err)
	}
}
