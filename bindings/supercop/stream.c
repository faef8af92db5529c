/* A stream cipher of Cipherlane behind the interface that SUPERCOP measures as crypto_stream.
 * export.sh puts it, api.h and operation.h into a folder of SUPERCOP's for each primitive. */
#include <stddef.h>
#include <string.h>

#include <cipherlane.h>

#include "crypto_stream.h"
#include "operation.h"

int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen,
                      const unsigned char *n, const unsigned char *k) {
    size_t written;
    /* A key and a nonce come with every call, so the key schedule is part of what is measured, as
     * it is of every crypto_stream. */
    return cipherlane_cipher_once(CIPHERLANE_ALGORITHM, CIPHERLANE_OPERATION, NULL, k,
                                  crypto_stream_KEYBYTES, n, crypto_stream_NONCEBYTES, m,
                                  (size_t)mlen, c, (size_t)mlen, &written);
}

int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *n,
                  const unsigned char *k) {
    if (clen == 0) {
        return 0;
    }
    memset(c, 0, (size_t)clen);
    return crypto_stream_xor(c, c, clen, n, k);
}
