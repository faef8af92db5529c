/* The interface to libraries that have none a program can open at run time, or another one in
 * every version: a shared library with these functions stands before such a library, and the
 * engine for all of them is peers/src/shim.
 *
 * An object is one operation of one algorithm, both by the names of the laboratory. Functions
 * return 0, or -1 where the library refuses or has no such thing. */
#ifndef CIPHERLANE_SHIM_H
#define CIPHERLANE_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* The interface's number: the engine refuses a library of another. */
#define CIPHERLANE_SHIM_INTERFACE 3

#ifdef __cplusplus
extern "C" {
#endif

uint32_t cipherlane_shim_interface(void);

/* The version of the library that is loaded, e.g. "8.7.0"; written as a C string. */
int cipherlane_shim_version(char *text, size_t room);

/* An operation such as ("sm4", "cbc", 1); null if the library has no such thing. */
void *cipherlane_shim_new(const char *algorithm, const char *mode, int encrypts);

void cipherlane_shim_free(void *object);

/* Which code of the library does it, e.g. "AESNI"; written as a C string. It returns -1 where
 * the library doesn't tell. */
int cipherlane_shim_provider(void *object, char *text, size_t room);

/* A fresh key, and the IV that whatever has one takes with it. */
int cipherlane_shim_key(void *object, const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                        size_t iv_bytes);

/* A fresh IV under the key that was set. */
int cipherlane_shim_iv(void *object, const uint8_t *iv, size_t iv_bytes);

/* Data of a mode of operation, in place or from buffer to buffer. */
int cipherlane_shim_data(void *object, const uint8_t *input, uint8_t *output, size_t bytes);

/* A whole message of an AEAD. The tag is written, or checked where the operation opens; an
 * operation that only authenticates takes the data as associated data. */
int cipherlane_shim_message(void *object, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                            size_t aad_bytes, const uint8_t *input, uint8_t *output, size_t bytes,
                            uint8_t *tag, size_t tag_bytes);

/* The tag of a message, of a MAC without an IV. */
int cipherlane_shim_mac(void *object, const uint8_t *input, size_t bytes, uint8_t *tag,
                        size_t tag_bytes);

#ifdef __cplusplus
}
#endif

#endif
