/* Salsa20/12 (Bernstein) with a key of 32 bytes, as its author recommends. */
#include "stream.h"

typedef struct salsa20 {
    uint32_t input[16];
    REST(64);
} salsa20;

/* Section 3 of the specification. */
#define QUARTER(a, b, c, d)                                                                        \
    do {                                                                                           \
        x[b] ^= left32(x[a] + x[d], 7);                                                            \
        x[c] ^= left32(x[b] + x[a], 9);                                                            \
        x[d] ^= left32(x[c] + x[b], 13);                                                           \
        x[a] ^= left32(x[d] + x[c], 18);                                                           \
    } while (0)

static void salsa20_piece(salsa20 *it, uint8_t *bytes) {
    uint32_t x[16];
    for (int i = 0; i < 16; i++)
        x[i] = it->input[i];
    for (int round = 0; round < 12; round += 2) {
        QUARTER(0, 4, 8, 12);
        QUARTER(5, 9, 13, 1);
        QUARTER(10, 14, 2, 6);
        QUARTER(15, 3, 7, 11);
        QUARTER(0, 1, 2, 3);
        QUARTER(5, 6, 7, 4);
        QUARTER(10, 11, 8, 9);
        QUARTER(15, 12, 13, 14);
    }
    for (int i = 0; i < 16; i++)
        store_little(bytes + 4 * i, x[i] + it->input[i]);
    if (++it->input[8] == 0)
        it->input[9]++;
}

/* Section 9: the constants on the diagonal, the key's halves between them. */
static void salsa20_set_key(void *context, const uint8_t *key) {
    static const uint8_t constants[17] = "expand 32-byte k";
    salsa20 *it = context;
    for (int i = 0; i < 4; i++) {
        it->input[5 * i] = load_little(constants + 4 * i);
        it->input[1 + i] = load_little(key + 4 * i);
        it->input[11 + i] = load_little(key + 16 + 4 * i);
    }
}

static void salsa20_start(void *context, const uint8_t *iv) {
    salsa20 *it = context;
    it->input[6] = load_little(iv);
    it->input[7] = load_little(iv + 4);
    it->input[8] = it->input[9] = 0;
    it->left = 0;
}

PROCESS(salsa20_12_keystream_reference, salsa20, salsa20_piece, 64)

static const rung rungs[] = {
    REFERENCE("salsa20-12", "keystream", 32, 8, salsa20, NULL, salsa20_set_key, salsa20_start,
              salsa20_12_keystream_reference),
};

const family salsa20_family = {rungs, sizeof rungs / sizeof rungs[0]};
