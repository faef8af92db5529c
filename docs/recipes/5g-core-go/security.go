// Package security protects NAS messages with the library for C. Its functions have the parameters
// that cores written in Go give to theirs (TS 33.501 annex D), so that they can stand in their places;
// docs/AIR.md tells more.
package security

/*
#cgo pkg-config: cipherlane
#include <stdlib.h>
#include <cipherlane.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// An algorithm of TS 33.501 clause 5.11.1 by its identity: 0 is the null algorithm.
type algorithm struct {
	cipher, operation *C.char
	ivLength          C.size_t
}

// The names live as long as the program.
func named(cipher, operation string, ivLength C.size_t) algorithm {
	return algorithm{C.CString(cipher), C.CString(operation), ivLength}
}

var (
	encryption = map[uint8]algorithm{
		1: named("snow3g", "nea1", 16),
		2: named("aes-128", "nea2", 16),
		3: named("zuc-128", "eea3", 16),
	}
	integrity = map[uint8]algorithm{
		1: named("snow3g", "nia1", 16),
		2: named("aes-128", "nia2", 8),
		3: named("zuc-128", "eia3", 16),
	}
)

// The library keeps its last refusal for the calling thread, and Go moves its routines between
// threads: a call and the question after it stay on one.
func onOneThread(call func() C.int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if status := call(); status != C.CIPHERLANE_OK {
		return failure(status)
	}
	return nil
}

// What the library says of its last refusal in this thread.
func failure(status C.int) error {
	var text [256]C.char
	C.cipherlane_last_error(&text[0], C.size_t(len(text)))
	if said := C.GoString(&text[0]); said != "" {
		return errors.New(said)
	}
	return errors.New(C.GoString(C.cipherlane_strerror(status)))
}

func pointer(data []byte) *C.uint8_t {
	if len(data) == 0 {
		return nil
	}
	return (*C.uint8_t)(unsafe.Pointer(&data[0]))
}

// The IV of COUNT, BEARER and DIRECTION.
func (it algorithm) iv(count uint32, bearer, direction uint8) ([]byte, error) {
	iv := make([]byte, it.ivLength)
	err := onOneThread(func() C.int {
		return C.cipherlane_3gpp_iv(it.operation, C.uint32_t(count), C.uint32_t(bearer),
			C.uint32_t(direction), 0, pointer(iv), it.ivLength)
	})
	return iv, err
}

// NASEncrypt encrypts or decrypts a payload in place.
func NASEncrypt(identity uint8, key [16]uint8, count uint32, bearer, direction uint8,
	payload []byte,
) error {
	if identity == 0 {
		return nil
	}
	it, known := encryption[identity]
	if !known {
		return fmt.Errorf("encryption algorithm %d: 0 to 3 are known", identity)
	}
	iv, err := it.iv(count, bearer, direction)
	if err != nil || len(payload) == 0 {
		return err
	}
	var written C.size_t
	return onOneThread(func() C.int {
		return C.cipherlane_cipher_once(it.cipher, it.operation, nil, pointer(key[:]), 16,
			pointer(iv), it.ivLength, pointer(payload), C.size_t(len(payload)), pointer(payload),
			C.size_t(len(payload)), &written)
	})
}

// NASMacCalculate returns the four bytes of a message's tag.
func NASMacCalculate(identity uint8, key [16]uint8, count uint32, bearer, direction uint8,
	message []byte,
) ([]byte, error) {
	return NASMacCalculateBits(identity, key, count, bearer, direction, message,
		8*uint64(len(message)))
}

// NASMacCalculateBits is the same of a message that ends inside a byte.
func NASMacCalculateBits(identity uint8, key [16]uint8, count uint32, bearer, direction uint8,
	message []byte, bits uint64,
) ([]byte, error) {
	it, known := integrity[identity]
	if !known {
		return nil, fmt.Errorf("integrity algorithm %d: 1 to 3 are known", identity)
	}
	iv, err := it.iv(count, bearer, direction)
	if err != nil {
		return nil, err
	}
	tag := make([]byte, 4)
	var mac *C.struct_cipherlane_mac
	err = onOneThread(func() C.int {
		status := C.cipherlane_mac_new(&mac, it.cipher, it.operation, nil, pointer(key[:]), 16,
			pointer(iv), it.ivLength, 0)
		if status == C.CIPHERLANE_OK {
			status = C.cipherlane_mac_update_bits(mac, pointer(message), C.size_t(len(message)),
				C.uint64_t(bits))
		}
		if status == C.CIPHERLANE_OK {
			status = C.cipherlane_mac_final(mac, pointer(tag), 4)
		}
		return status
	})
	C.cipherlane_mac_free(mac)
	if err != nil {
		return nil, err
	}
	return tag, nil
}

// NASMacVerify compares in constant time: a receiver's only right way.
func NASMacVerify(identity uint8, key [16]uint8, count uint32, bearer, direction uint8,
	message, tag []byte,
) (bool, error) {
	computed, err := NASMacCalculate(identity, key, count, bearer, direction, message)
	if err != nil || len(tag) != len(computed) {
		return false, err
	}
	equal := C.cipherlane_equal(unsafe.Pointer(&computed[0]), unsafe.Pointer(&tag[0]),
		C.size_t(len(tag)))
	return equal == 1, nil
}
