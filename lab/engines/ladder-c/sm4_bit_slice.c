/* SM4's rungs on bit planes: 64 blocks in ordinary words, 256 in AVX2's. */
#include <string.h>

#include "sm4.h"

/* What the circuit leaves out of the S-box, and what L makes of the latter in every byte. */
#define SM4_INPUT_CONSTANT 0x75
#define SM4_OUTPUT_CONSTANT 0xd3
#define SM4_OWED ((SM4_OUTPUT_CONSTANT << 2 | SM4_OUTPUT_CONSTANT >> 6) & 0xff)

/* Bit i of row k becomes bit k of row i: squares of half the width change places, then those in
 * them. */
static void transpose(uint64_t rows[64]) {
    uint64_t mask = 0xffffffff;
    for (int width = 32; width > 0; width >>= 1, mask ^= mask << width) {
        for (int k = 0; k < 64; k = ((k | width) + 1) & ~width) {
            uint64_t both = ((rows[k] >> width) ^ rows[k | width]) & mask;
            rows[k | width] ^= both;
            rows[k] ^= both << width;
        }
    }
}

#define RUNG bit_slice
#define PLANE uint64_t
#define WORDS 1
#define TARGET
#include "sm4_bit_slice.inc"

#if defined(__x86_64__) && defined(__GNUC__)
typedef uint64_t four_words __attribute__((vector_size(32)));

static const char *lacks(void) {
    return __builtin_cpu_supports("avx2") ? NULL : "this CPU has no AVX2";
}

#define RUNG bit_slice_avx2
#define PLANE four_words
#define WORDS 4
#define TARGET __attribute__((target("avx2")))
#include "sm4_bit_slice.inc"
#else
static const char *lacks(void) { return "AVX2 is of x86-64 CPUs"; }

#define sm4_ecb_encrypt_bit_slice_avx2 sm4_ecb_encrypt_bit_slice
#endif

#define SLICED(rung_name, function, why)                                                           \
    {                                                                                              \
        .algorithm = "sm4", .operation = "ecb-encrypt", .name = rung_name, .key_bytes = 16,        \
        .granule = SM4_BLOCK, .context_bytes = sizeof(sm4), .set_key = sm4_set_key,                \
        .process = sm4_ecb_encrypt_##function, .lacks = why, .splits = true, .latency = true,      \
    }

static const rung rungs[] = {
    SLICED("bit-slice", bit_slice, NULL),
    SLICED("bit-slice-avx2", bit_slice_avx2, lacks),
};

const family sm4_bit_slice_family = {rungs, sizeof rungs / sizeof rungs[0]};
