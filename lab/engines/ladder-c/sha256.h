/* SHA-256 (FIPS 180-4), for the digest of all outputs. */
#ifndef LADDER_SHA256_H
#define LADDER_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[64];
} sha256;

void sha256_start(sha256 *it);
void sha256_absorb(sha256 *it, const uint8_t *data, size_t bytes);
/* 64 lower-case hexadecimal digits and a zero. */
void sha256_finish(sha256 *it, char out[65]);

#endif
