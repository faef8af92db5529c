/* SM4's rungs that work on one block at a time: how the state is kept, and how wide tables are. */
#include "sm4.h"

/* 6.2 a): four S-boxes side by side. A call where nothing is optimised: the study's profile counts
 * it. */
static uint32_t tau(uint32_t a) {
    return (uint32_t)sm4_sbox[a >> 24] << 24 | (uint32_t)sm4_sbox[a >> 16 & 0xff] << 16 |
           (uint32_t)sm4_sbox[a >> 8 & 0xff] << 8 | sm4_sbox[a & 0xff];
}

/* 6.2 b). */
ALWAYS_INLINE uint32_t linear(uint32_t b) {
    return b ^ rotate_left(b, 2) ^ rotate_left(b, 10) ^ rotate_left(b, 18) ^ rotate_left(b, 24);
}

/* L goes with rotations, so one table of a byte does for all four. */
ALWAYS_INLINE uint32_t by_one_table(uint32_t x) {
    return sm4_table[x & 0xff] ^ rotate_left(sm4_table[x >> 8 & 0xff], 8) ^
           rotate_left(sm4_table[x >> 16 & 0xff], 16) ^ rotate_left(sm4_table[x >> 24], 24);
}

ALWAYS_INLINE uint32_t by_four_tables(uint32_t x) {
    return sm4_tables[0][x & 0xff] ^ sm4_tables[1][x >> 8 & 0xff] ^
           sm4_tables[2][x >> 16 & 0xff] ^ sm4_tables[3][x >> 24];
}

ALWAYS_INLINE uint32_t by_two_tables(uint32_t x) {
    return sm4_wide_tables[0][x & 0xffff] ^ sm4_wide_tables[1][x >> 16];
}

#define SM4_ARRAY 1
#define SM4_VARIABLES 2
#define SM4_UNROLLED 3

#define RUNG baseline
#define STATE SM4_ARRAY
#define T(x) linear(tau(x))
#include "sm4_rung.inc"

#define RUNG four_variables
#define STATE SM4_VARIABLES
#define T(x) linear(tau(x))
#include "sm4_rung.inc"

#define RUNG unrolled
#define STATE SM4_UNROLLED
#define T(x) linear(tau(x))
#include "sm4_rung.inc"

#define RUNG table_1k
#define STATE SM4_VARIABLES
#define T(x) by_one_table(x)
#include "sm4_rung.inc"

#define RUNG tables_4x1k
#define STATE SM4_VARIABLES
#define T(x) by_four_tables(x)
#include "sm4_rung.inc"

#define RUNG tables_2x256k
#define STATE SM4_VARIABLES
#define T(x) by_two_tables(x)
#include "sm4_rung.inc"

#define ECB(rung_name, function, tables)                                                           \
    {                                                                                              \
        .algorithm = "sm4", .operation = "ecb-encrypt", .name = rung_name, .key_bytes = 16,        \
        .granule = SM4_BLOCK, .context_bytes = sizeof(sm4), .prepare = tables,                     \
        .set_key = sm4_set_key, .process = sm4_ecb_encrypt_##function, .splits = true,             \
        .latency = true,                                                                           \
    }
#define CBC(rung_name, function, tables)                                                           \
    {                                                                                              \
        .algorithm = "sm4", .operation = "cbc-encrypt", .name = rung_name, .key_bytes = 16,        \
        .iv_bytes = SM4_BLOCK, .granule = SM4_BLOCK, .context_bytes = sizeof(sm4),                 \
        .prepare = tables, .set_key = sm4_set_key, .start = sm4_start,                             \
        .process = sm4_cbc_encrypt_##function,                                                     \
    }
#define BOTH(rung_name, function, tables)                                                          \
    ECB(rung_name, function, tables), CBC(rung_name, function, tables)

static const rung rungs[] = {
    BOTH("baseline", baseline, NULL),
    BOTH("four-variables", four_variables, NULL),
    BOTH("unrolled", unrolled, NULL),
    BOTH("table-1k", table_1k, sm4_prepare_table),
    BOTH("tables-4x1k", tables_4x1k, sm4_prepare_tables),
    BOTH("tables-2x256k", tables_2x256k, sm4_prepare_wide_tables),
};

const family sm4_block_family = {rungs, sizeof rungs / sizeof rungs[0]};
