/* Trivium (De Cannière and Preneel, eSTREAM): 32 clocks at once, as no bit is used before it is 66
 * clocks old. */
#include "stream.h"

/* The three registers, in words of 32 clocks, the newest first: bit j of a word is the bit that
 * came in at its clock j. The registers have 93, 84 and 111 bits. */
typedef struct trivium {
    uint32_t a[3], b[3], c[4];
    uint8_t key[10];
    REST(4);
} trivium;

/* Bit i of a register, counted from 1 at its beginning, in each of 32 clocks. */
#define WORDS_(i) (((i) + 31) / 32)
#define BIT(x, i)                                                                                  \
    ((x)[WORDS_(i) - 1] >> (32 * WORDS_(i) - (i)) | (x)[WORDS_(i) - 2] << ((i)-32 * (WORDS_(i)-1)))

static uint32_t trivium_clocks(trivium *it) {
    uint32_t *a = it->a, *b = it->b, *c = it->c;
    uint32_t t1 = BIT(a, 66) ^ BIT(a, 93), t2 = BIT(b, 69) ^ BIT(b, 84);
    uint32_t t3 = BIT(c, 66) ^ BIT(c, 111);
    uint32_t z = t1 ^ t2 ^ t3;
    t1 ^= (BIT(a, 91) & BIT(a, 92)) ^ BIT(b, 78);
    t2 ^= (BIT(b, 82) & BIT(b, 83)) ^ BIT(c, 87);
    t3 ^= (BIT(c, 109) & BIT(c, 110)) ^ BIT(a, 69);
    a[2] = a[1];
    a[1] = a[0];
    a[0] = t3;
    b[2] = b[1];
    b[1] = b[0];
    b[0] = t1;
    c[3] = c[2];
    c[2] = c[1];
    c[1] = c[0];
    c[0] = t2;
    return z;
}

static void trivium_piece(trivium *it, uint8_t *bytes) { store_little(bytes, trivium_clocks(it)); }

static void trivium_set_key(void *context, const uint8_t *key) {
    copy_bytes(((trivium *)context)->key, key, 10);
}

/* Bit i of a register is bit 80 - i of the key or IV. */
static void trivium_load(uint32_t *x, const uint8_t *bytes) {
    x[0] = x[1] = x[2] = 0;
    for (int i = 1; i <= 80; i++) {
        uint32_t bit = bytes[(80 - i) / 8] >> (80 - i) % 8 & 1;
        x[WORDS_(i) - 1] |= bit << (32 * WORDS_(i) - i);
    }
}

static void trivium_start(void *context, const uint8_t *iv) {
    trivium *it = context;
    trivium_load(it->a, it->key);
    trivium_load(it->b, iv);
    it->c[0] = it->c[1] = it->c[2] = 0;
    it->c[3] = 7u << 17; /* the last three bits of the 111 */
    for (int i = 0; i < 4 * 288 / 32; i++)
        trivium_clocks(it);
    it->left = 0;
}

PROCESS(trivium_keystream_reference, trivium, trivium_piece, 4)

static const rung rungs[] = {
    REFERENCE("trivium", "keystream", 10, 10, trivium, NULL, trivium_set_key, trivium_start,
              trivium_keystream_reference),
};

const family trivium_family = {rungs, sizeof rungs / sizeof rungs[0]};
