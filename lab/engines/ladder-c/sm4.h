/* SM4 (GB/T 32907-2016): what all its rungs share. */
#ifndef LADDER_SM4_H
#define LADDER_SM4_H

#include <stddef.h>
#include <stdint.h>

#include "rung.h"

enum { SM4_BLOCK = 16, SM4_ROUNDS = 32 };

typedef struct sm4 {
    uint32_t round_keys[SM4_ROUNDS];
    uint32_t rounds; /* as many as the standard has, known only when the program runs */
    uint8_t chain[SM4_BLOCK];
} sm4;

/* In a library, too, gcc is to reach these as in a program, by their place. clang goes through a
 * table in both, which the linker makes direct. */
#ifndef __clang__
#pragma GCC visibility push(hidden)
#endif

extern const uint8_t sm4_sbox[256];

void sm4_set_key(void *context, const uint8_t *key);

/* Takes the IV of CBC. */
void sm4_start(void *context, const uint8_t *iv);

/* Tables of T = L(tau(.)): of a byte at the bottom of a word, of each byte, of each half. */
extern uint32_t sm4_table[256];
extern uint32_t sm4_tables[4][256];
extern uint32_t sm4_wide_tables[2][65536];

/* Fill them. */
void sm4_prepare_table(void);
void sm4_prepare_tables(void);
void sm4_prepare_wide_tables(void);

#ifndef __clang__
#pragma GCC visibility pop
#endif

ALWAYS_INLINE uint32_t rotate_left(uint32_t x, int count) { return x << count | x >> (32 - count); }

ALWAYS_INLINE uint32_t load_be32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

ALWAYS_INLINE void store_be32(uint8_t *bytes, uint32_t word) {
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

#endif
