/* HC-128 (Wu, eSTREAM). */
#include "stream.h"

typedef struct hc128 {
    uint32_t p[512], q[512], step;
    uint8_t key[16];
    REST(4);
} hc128;

/* Section 2.1. */
ALWAYS_INLINE uint32_t hc128_f1(uint32_t x) { return right32(x, 7) ^ right32(x, 18) ^ x >> 3; }

ALWAYS_INLINE uint32_t hc128_f2(uint32_t x) { return right32(x, 17) ^ right32(x, 19) ^ x >> 10; }

ALWAYS_INLINE uint32_t hc128_h(const uint32_t *table, uint32_t x) {
    return table[x & 0xff] + table[256 + (x >> 16 & 0xff)];
}

/* The words before j are counted round. */
#define BEFORE(table, j, words) (table)[((j)-(words)) & 511]

/* One step on a table with the help of the other one; `turn` is the rotation of the first. */
#define STEP(turn, table, other)                                                                   \
    do {                                                                                           \
        (table)[j] += (turn(BEFORE(table, j, 3), 10) ^ turn(BEFORE(table, j, 511), 23)) +          \
                      turn(BEFORE(table, j, 10), 8);                                               \
        word = (table)[j] ^ hc128_h(other, BEFORE(table, j, 12));                                  \
    } while (0)

static uint32_t hc128_word(hc128 *it) {
    uint32_t j = it->step % 512, word;
    if (it->step % 1024 < 512)
        STEP(right32, it->p, it->q);
    else
        STEP(left32, it->q, it->p);
    it->step++;
    return word;
}

static void hc128_piece(hc128 *it, uint8_t *bytes) { store_little(bytes, hc128_word(it)); }

static void hc128_set_key(void *context, const uint8_t *key) {
    copy_bytes(((hc128 *)context)->key, key, 16);
}

static void hc128_start(void *context, const uint8_t *iv) {
    hc128 *it = context;
    uint32_t w[1280];
    for (int i = 0; i < 4; i++) {
        w[i] = w[i + 4] = load_little(it->key + 4 * i);
        w[i + 8] = w[i + 12] = load_little(iv + 4 * i);
    }
    for (uint32_t i = 16; i < 1280; i++)
        w[i] = hc128_f2(w[i - 2]) + w[i - 7] + hc128_f1(w[i - 15]) + w[i - 16] + i;
    for (int i = 0; i < 512; i++) {
        it->p[i] = w[256 + i];
        it->q[i] = w[768 + i];
    }
    it->step = 0;
    /* 1024 steps, whose outputs replace the words of the tables. */
    for (uint32_t i = 0; i < 1024; i++) {
        uint32_t word = hc128_word(it);
        (i < 512 ? it->p : it->q)[i % 512] = word;
    }
    it->left = 0;
}

PROCESS(hc_128_keystream_reference, hc128, hc128_piece, 4)

static const rung rungs[] = {
    REFERENCE("hc-128", "keystream", 16, 16, hc128, NULL, hc128_set_key, hc128_start,
              hc_128_keystream_reference),
};

const family hc128_family = {rungs, sizeof rungs / sizeof rungs[0]};
