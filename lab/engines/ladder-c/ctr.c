/* AES-128 and SM4 by tables of 4 x 1 KiB, in CTR: a counter of 128 bits, the first byte highest. */
#include "sm4.h"
#include "stream.h"

/* FIPS 197 with its rows and columns in words: a table of a byte holds its column of SubBytes and
 * MixColumns, for each place in the word. */
static uint8_t aes_sbox[256];
static uint32_t aes_tables[4][256];

/* Section 4.2.1. */
static uint32_t aes_double(uint32_t byte) { return (byte << 1 ^ (byte >> 7) * 0x11b) & 0xff; }

static void aes_prepare(void) {
    uint8_t powers[255], inverse[256] = {0};
    uint32_t power = 1;
    /* x + 1 makes every byte but 0. */
    for (int i = 0; i < 255; i++) {
        powers[i] = (uint8_t)power;
        power ^= aes_double(power);
    }
    for (int i = 0; i < 255; i++)
        inverse[powers[i]] = powers[(255 - i) % 255];
    for (uint32_t i = 0; i < 256; i++) {
        /* Section 5.1.1: the inverse, and four of its rotations. */
        uint32_t b = inverse[i], many = b | b << 8;
        uint32_t s = (b ^ many >> 7 ^ many >> 6 ^ many >> 5 ^ many >> 4 ^ 0x63) & 0xff;
        uint32_t twice = aes_double(s);
        uint32_t column = twice << 24 | s << 16 | s << 8 | (twice ^ s);
        aes_sbox[i] = (uint8_t)s;
        for (int place = 0; place < 4; place++)
            aes_tables[place][i] = place == 0 ? column : right32(column, 8 * place);
    }
}

enum { AES_ROUNDS = 10 };

typedef struct aes {
    uint32_t keys[4 * (AES_ROUNDS + 1)], counter[4];
    REST(16);
} aes;

ALWAYS_INLINE uint32_t aes_sub_word(uint32_t x) {
    return (uint32_t)aes_sbox[x >> 24] << 24 | (uint32_t)aes_sbox[x >> 16 & 0xff] << 16 |
           (uint32_t)aes_sbox[x >> 8 & 0xff] << 8 | aes_sbox[x & 0xff];
}

/* Section 5.2. */
static void aes_set_key(void *context, const uint8_t *key) {
    uint32_t *w = ((aes *)context)->keys, constant = 1;
    for (int i = 0; i < 4; i++)
        w[i] = load_big(key + 4 * i);
    for (int i = 4; i < 4 * (AES_ROUNDS + 1); i++) {
        uint32_t last = w[i - 1];
        if (i % 4 == 0) {
            last = aes_sub_word(left32(last, 8)) ^ constant << 24;
            constant = aes_double(constant);
        }
        w[i] = w[i - 4] ^ last;
    }
}

ALWAYS_INLINE void ctr_start(uint32_t counter[4], const uint8_t *iv) {
    for (int i = 0; i < 4; i++)
        counter[i] = load_big(iv + 4 * i);
}

ALWAYS_INLINE void ctr_next(uint32_t counter[4]) {
    for (int i = 3; i >= 0 && ++counter[i] == 0; i--)
        ;
}

static void aes_start(void *context, const uint8_t *iv) {
    aes *it = context;
    ctr_start(it->counter, iv);
    it->left = 0;
}

/* One row of a round: a byte from each column, one further on each time. */
#define AES_MIXED(a, b, c, d)                                                                      \
    (aes_tables[0][(a) >> 24] ^ aes_tables[1][(b) >> 16 & 0xff] ^ aes_tables[2][(c) >> 8 & 0xff] ^ \
     aes_tables[3][(d) & 0xff])
#define AES_LAST(a, b, c, d)                                                                       \
    aes_sub_word(((a) & 0xff000000) | ((b) & 0xff0000) | ((c) & 0xff00) | ((d) & 0xff))

static void aes_piece(aes *it, uint8_t *bytes) {
    const uint32_t *k = it->keys;
    uint32_t a = it->counter[0] ^ k[0], b = it->counter[1] ^ k[1];
    uint32_t c = it->counter[2] ^ k[2], d = it->counter[3] ^ k[3];
    for (int round = 1; round < AES_ROUNDS; round++) {
        uint32_t e = AES_MIXED(a, b, c, d), f = AES_MIXED(b, c, d, a);
        uint32_t g = AES_MIXED(c, d, a, b), h = AES_MIXED(d, a, b, c);
        k += 4;
        a = e ^ k[0];
        b = f ^ k[1];
        c = g ^ k[2];
        d = h ^ k[3];
    }
    store_big(bytes, AES_LAST(a, b, c, d) ^ k[4]);
    store_big(bytes + 4, AES_LAST(b, c, d, a) ^ k[5]);
    store_big(bytes + 8, AES_LAST(c, d, a, b) ^ k[6]);
    store_big(bytes + 12, AES_LAST(d, a, b, c) ^ k[7]);
    ctr_next(it->counter);
}

PROCESS(aes_128_ctr_reference, aes, aes_piece, 16)

typedef struct sm4_ctr {
    sm4 cipher; /* first, as its key schedule takes it */
    uint32_t counter[4];
    REST(16);
} sm4_ctr;

static void sm4_ctr_start(void *context, const uint8_t *iv) {
    sm4_ctr *it = context;
    ctr_start(it->counter, iv);
    it->left = 0;
}

ALWAYS_INLINE uint32_t sm4_ctr_t(uint32_t x) {
    return sm4_tables[0][x & 0xff] ^ sm4_tables[1][x >> 8 & 0xff] ^
           sm4_tables[2][x >> 16 & 0xff] ^ sm4_tables[3][x >> 24];
}

static void sm4_ctr_piece(sm4_ctr *it, uint8_t *bytes) {
    const uint32_t *k = it->cipher.round_keys;
    uint32_t a = it->counter[0], b = it->counter[1], c = it->counter[2], d = it->counter[3];
    for (int round = 0; round < SM4_ROUNDS; round += 4, k += 4) {
        a ^= sm4_ctr_t(b ^ c ^ d ^ k[0]);
        b ^= sm4_ctr_t(c ^ d ^ a ^ k[1]);
        c ^= sm4_ctr_t(d ^ a ^ b ^ k[2]);
        d ^= sm4_ctr_t(a ^ b ^ c ^ k[3]);
    }
    store_big(bytes, d);
    store_big(bytes + 4, c);
    store_big(bytes + 8, b);
    store_big(bytes + 12, a);
    ctr_next(it->counter);
}

PROCESS(sm4_ctr_reference, sm4_ctr, sm4_ctr_piece, 16)

static const rung rungs[] = {
    REFERENCE("aes-128", "ctr", 16, 16, aes, aes_prepare, aes_set_key, aes_start,
              aes_128_ctr_reference),
    REFERENCE("sm4", "ctr", 16, 16, sm4_ctr, sm4_prepare_tables, sm4_set_key, sm4_ctr_start,
              sm4_ctr_reference),
};

const family ctr_family = {rungs, sizeof rungs / sizeof rungs[0]};
