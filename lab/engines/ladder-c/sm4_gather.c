/* SM4 by tables in eight lanes: a gather looks up a word for each of eight blocks. */
#include <string.h>

#include "sm4.h"

enum { LANES = 8 };

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

static const char *lacks(void) {
    return __builtin_cpu_supports("avx2") ? NULL : "this CPU has no AVX2, and so no gathers";
}

#define GATHER(table, x) _mm256_i32gather_epi32((const int *)(table), x, 4)
#define XOR _mm256_xor_si256

__attribute__((target("avx2"))) ALWAYS_INLINE __m256i by_four_tables(__m256i x) {
    const __m256i byte = _mm256_set1_epi32(0xff);
    __m256i low = GATHER(sm4_tables[0], _mm256_and_si256(x, byte));
    __m256i second = GATHER(sm4_tables[1], _mm256_and_si256(_mm256_srli_epi32(x, 8), byte));
    __m256i third = GATHER(sm4_tables[2], _mm256_and_si256(_mm256_srli_epi32(x, 16), byte));
    __m256i high = GATHER(sm4_tables[3], _mm256_srli_epi32(x, 24));
    return XOR(XOR(low, second), XOR(third, high));
}

/* Word `word` of eight blocks, a block a lane. */
__attribute__((target("avx2"))) ALWAYS_INLINE __m256i load(const uint8_t *input, int word) {
    uint32_t lanes[LANES];
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = load_be32(input + SM4_BLOCK * lane + 4 * word);
    return _mm256_loadu_si256((const __m256i *)lanes);
}

__attribute__((target("avx2"))) ALWAYS_INLINE void store(uint8_t *output, int word, __m256i x) {
    uint32_t lanes[LANES];
    _mm256_storeu_si256((__m256i *)lanes, x);
    for (int lane = 0; lane < LANES; lane++)
        store_be32(output + SM4_BLOCK * lane + 4 * word, lanes[lane]);
}

__attribute__((target("avx2"))) static void eight_blocks(const sm4 *it, const uint8_t *input,
                                                         uint8_t *output) {
    __m256i x0 = load(input, 0), x1 = load(input, 1), x2 = load(input, 2), x3 = load(input, 3);
#define KEYED(a, b, c, i) XOR(XOR(a, b), XOR(c, _mm256_set1_epi32((int)it->round_keys[i])))
    for (uint32_t i = 0; i < it->rounds; i += 4) {
        x0 = XOR(x0, by_four_tables(KEYED(x1, x2, x3, i)));
        x1 = XOR(x1, by_four_tables(KEYED(x2, x3, x0, i + 1)));
        x2 = XOR(x2, by_four_tables(KEYED(x3, x0, x1, i + 2)));
        x3 = XOR(x3, by_four_tables(KEYED(x0, x1, x2, i + 3)));
    }
#undef KEYED
    store(output, 0, x3);
    store(output, 1, x2);
    store(output, 2, x1);
    store(output, 3, x0);
}
#else
static const char *lacks(void) { return "AVX2 is of x86-64 CPUs"; }

static void eight_blocks(const sm4 *it, const uint8_t *input, uint8_t *output) {
    (void)it;
    (void)input;
    (void)output;
}
#endif

static void sm4_ecb_encrypt_tables_avx2_gather(void *context, const uint8_t *input,
                                               uint8_t *output, size_t bytes) {
    size_t whole = bytes - bytes % (LANES * SM4_BLOCK);
    for (size_t place = 0; place < whole; place += LANES * SM4_BLOCK)
        eight_blocks(context, input + place, output + place);
    if (whole < bytes) {
        uint8_t rest[LANES * SM4_BLOCK] = {0};
        memcpy(rest, input + whole, bytes - whole);
        eight_blocks(context, rest, rest);
        memcpy(output + whole, rest, bytes - whole);
    }
}

static const rung rungs[] = {{
    .algorithm = "sm4",
    .operation = "ecb-encrypt",
    .name = "tables-avx2-gather",
    .key_bytes = 16,
    .granule = SM4_BLOCK,
    .context_bytes = sizeof(sm4),
    .prepare = sm4_prepare_tables,
    .set_key = sm4_set_key,
    .process = sm4_ecb_encrypt_tables_avx2_gather,
    .lacks = lacks,
    .splits = true,
    .latency = true,
}};

const family sm4_gather_family = {rungs, 1};
