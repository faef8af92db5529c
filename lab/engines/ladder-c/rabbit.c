/* Rabbit (RFC 4503), with the byte order of eSTREAM: the first byte is the lowest. */
#include "stream.h"

typedef struct rabbit_state {
    uint32_t x[8], c[8], carry;
} rabbit_state;

typedef struct rabbit {
    rabbit_state master, state;
    REST(16);
} rabbit;

/* Section 2.6: the square of x + c, its halves xored. */
ALWAYS_INLINE uint32_t rabbit_g(uint32_t x, uint32_t c) {
    uint64_t square = (uint64_t)(uint32_t)(x + c) * (uint32_t)(x + c);
    return (uint32_t)square ^ (uint32_t)(square >> 32);
}

static void rabbit_next(rabbit_state *it) {
    /* Section 2.5. */
    static const uint32_t a[8] = {0x4d34d34d, 0xd34d34d3, 0x34d34d34, 0x4d34d34d,
                                  0xd34d34d3, 0x34d34d34, 0x4d34d34d, 0xd34d34d3};
    uint32_t g[8];
    for (int j = 0; j < 8; j++) {
        uint64_t sum = (uint64_t)it->c[j] + a[j] + it->carry;
        it->c[j] = (uint32_t)sum;
        it->carry = (uint32_t)(sum >> 32);
        g[j] = rabbit_g(it->x[j], it->c[j]);
    }
    for (int j = 0; j < 8; j += 2) {
        it->x[j] = g[j] + left32(g[(j + 7) % 8], 16) + left32(g[(j + 6) % 8], 16);
        it->x[j + 1] = g[j + 1] + left32(g[j], 8) + g[(j + 7) % 8];
    }
}

/* Section 2.3. The key is words of 16 bits, the first byte lowest. */
static void rabbit_set_key(void *context, const uint8_t *key) {
    rabbit_state *it = &((rabbit *)context)->master;
    uint32_t k[8];
    for (int j = 0; j < 8; j++)
        k[j] = (uint32_t)key[2 * j + 1] << 8 | key[2 * j];
#define JOINED(high, low) (k[(high) % 8] << 16 | k[(low) % 8])
    for (int j = 0; j < 8; j += 2) {
        it->x[j] = JOINED(j + 1, j);
        it->c[j] = JOINED(j + 4, j + 5);
        it->x[j + 1] = JOINED(j + 6, j + 5);
        it->c[j + 1] = JOINED(j + 1, j + 2);
    }
#undef JOINED
    it->carry = 0;
    for (int i = 0; i < 4; i++)
        rabbit_next(it);
    for (int j = 0; j < 8; j++)
        it->c[j] ^= it->x[(j + 4) % 8];
}

/* Section 2.4. */
static void rabbit_start(void *context, const uint8_t *iv) {
    rabbit *it = context;
    uint32_t low = load_little(iv), high = load_little(iv + 4);
    uint32_t odd = (high & 0xffff0000) | low >> 16, last = high << 16 | (low & 0xffff);
    const uint32_t words[4] = {low, odd, high, last};
    it->state = it->master;
    for (int j = 0; j < 8; j++)
        it->state.c[j] ^= words[j % 4];
    for (int i = 0; i < 4; i++)
        rabbit_next(&it->state);
    it->left = 0;
}

/* Section 2.7. */
static void rabbit_piece(rabbit *it, uint8_t *bytes) {
    uint32_t *x = it->state.x;
    rabbit_next(&it->state);
    for (int j = 0; j < 8; j += 2)
        store_little(bytes + 2 * j, x[j] ^ x[(j + 5) % 8] >> 16 ^ x[(j + 3) % 8] << 16);
}

PROCESS(rabbit_keystream_reference, rabbit, rabbit_piece, 16)

static const rung rungs[] = {
    REFERENCE("rabbit", "keystream", 16, 8, rabbit, NULL, rabbit_set_key, rabbit_start,
              rabbit_keystream_reference),
};

const family rabbit_family = {rungs, sizeof rungs / sizeof rungs[0]};
