/* Grain-128 (Hell, Johansson, Maximov and Meier): 32 clocks at once, as no feedback reaches beyond
 * bit 96 of 128. */
#include "stream.h"

/* Bit i of a register is bit i % 32 of word i / 32. */
typedef struct grain {
    uint32_t s[4], b[4];
    uint8_t key[16];
    REST(4);
} grain;

/* Bit i of a register in each of 32 clocks, where i is no multiple of 32. */
#define BIT(x, i) ((x)[(i) / 32] >> (i) % 32 | (x)[(i) / 32 + 1] << (32 - (i) % 32))

static uint32_t grain_output(const grain *it) {
    const uint32_t *s = it->s, *b = it->b;
    uint32_t b12 = BIT(b, 12), b95 = BIT(b, 95);
    uint32_t h = (b12 & BIT(s, 8)) ^ (BIT(s, 13) & BIT(s, 20)) ^ (b95 & BIT(s, 42)) ^
                 (BIT(s, 60) & BIT(s, 79)) ^ (b12 & b95 & BIT(s, 95));
    return h ^ BIT(s, 93) ^ BIT(b, 2) ^ BIT(b, 15) ^ BIT(b, 36) ^ BIT(b, 45) ^ b[2] ^ BIT(b, 73) ^
           BIT(b, 89);
}

/* 32 clocks; `z` is 0 but when key and IV are mixed. */
static void grain_clocks(grain *it, uint32_t z) {
    uint32_t *s = it->s, *b = it->b;
    uint32_t f = s[0] ^ BIT(s, 7) ^ BIT(s, 38) ^ BIT(s, 70) ^ BIT(s, 81) ^ s[3];
    uint32_t g = s[0] ^ b[0] ^ BIT(b, 26) ^ BIT(b, 56) ^ BIT(b, 91) ^ b[3] ^
                 (BIT(b, 3) & BIT(b, 67)) ^ (BIT(b, 11) & BIT(b, 13)) ^ (BIT(b, 17) & BIT(b, 18)) ^
                 (BIT(b, 27) & BIT(b, 59)) ^ (BIT(b, 40) & BIT(b, 48)) ^
                 (BIT(b, 61) & BIT(b, 65)) ^ (BIT(b, 68) & BIT(b, 84));
    for (int i = 0; i < 3; i++) {
        s[i] = s[i + 1];
        b[i] = b[i + 1];
    }
    s[3] = f ^ z;
    b[3] = g ^ z;
}

static void grain_piece(grain *it, uint8_t *bytes) {
    store_little(bytes, grain_output(it));
    grain_clocks(it, 0);
}

static void grain_set_key(void *context, const uint8_t *key) {
    copy_bytes(((grain *)context)->key, key, 16);
}

static void grain_start(void *context, const uint8_t *iv) {
    grain *it = context;
    for (int i = 0; i < 4; i++)
        it->b[i] = load_little(it->key + 4 * i);
    for (int i = 0; i < 3; i++)
        it->s[i] = load_little(iv + 4 * i);
    it->s[3] = 0xffffffff;
    for (int i = 0; i < 256 / 32; i++)
        grain_clocks(it, grain_output(it));
    it->left = 0;
}

PROCESS(grain_128_keystream_reference, grain, grain_piece, 4)

static const rung rungs[] = {
    REFERENCE("grain-128", "keystream", 16, 12, grain, NULL, grain_set_key, grain_start,
              grain_128_keystream_reference),
};

const family grain_family = {rungs, sizeof rungs / sizeof rungs[0]};
