/* Sosemanuk (Berbain et al., eSTREAM), on Serpent's S-boxes and key schedule. */
#include "stream.h"

typedef struct sosemanuk {
    uint32_t keys[25][4];
    uint32_t s[14], r1, r2; /* s1 to s10, and room for four steps */
    REST(16);
} sosemanuk;

/* Products by alpha and by its inverse, of the byte that falls out. */
static uint32_t sosemanuk_up[256], sosemanuk_down[256];

/* Section 3.2: multiplication by beta to a power, modulo b^8 + b^7 + b^5 + b^3 + 1. */
static uint32_t beta_power(uint32_t byte, int exponent) {
    while (exponent-- > 0)
        byte = byte << 1 ^ (byte >> 7) * 0x1a9;
    return byte;
}

static void sosemanuk_prepare(void) {
    for (uint32_t i = 0; i < 256; i++)
        sosemanuk_up[i] = beta_power(i, 23) << 24 | beta_power(i, 245) << 16 |
                          beta_power(i, 48) << 8 | beta_power(i, 239);
    /* The lowest byte of a product is beta^239 times the byte that fell out, and beta^255 is 1. */
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t out = beta_power(i, 16);
        sosemanuk_down[i] = out << 24 | sosemanuk_up[out] >> 8;
    }
}

/* Serpent's S-boxes (annex A.5 of its description) on words, whose bits are 32 nibbles side by
 * side: each bit of the result is a sum of products of the bits a, b, c and d. */
#define SERPENT_0                                                                                  \
    y[0] = ~(a ^ ab ^ c ^ ac ^ bc ^ abc ^ d ^ acd ^ bcd),                                          \
    y[1] = ~(a ^ ac ^ bc ^ abc ^ bd ^ acd ^ bcd),                                                  \
    y[2] = b ^ ab ^ ac ^ abc ^ d ^ bd ^ bcd,                                                       \
    y[3] = a ^ b ^ c ^ d ^ ad
#define SERPENT_1                                                                                  \
    y[0] = ~(a ^ b ^ bc ^ ad ^ cd ^ acd ^ bcd),                                                    \
    y[1] = ~(a ^ ab ^ c ^ ac ^ d ^ bd ^ abd ^ acd ^ bcd),                                          \
    y[2] = ~(b ^ ab ^ c ^ d),                                                                      \
    y[3] = ~(b ^ ac ^ d ^ ad ^ abd ^ acd ^ bcd)
#define SERPENT_2                                                                                  \
    y[0] = b ^ c ^ ac ^ d,                                                                         \
    y[1] = a ^ b ^ c ^ bc ^ abc ^ ad ^ abd ^ cd ^ acd,                                             \
    y[2] = a ^ b ^ bc ^ d ^ bd ^ abd ^ cd ^ acd,                                                   \
    y[3] = ~(a ^ b ^ c ^ abc ^ bd)
#define SERPENT_3                                                                                  \
    y[0] = a ^ b ^ bc ^ d ^ ad ^ cd ^ acd ^ bcd,                                                   \
    y[1] = a ^ b ^ ac ^ ad ^ abd ^ cd ^ acd,                                                       \
    y[2] = a ^ ab ^ c ^ abc ^ d ^ bd ^ abd,                                                        \
    y[3] = a ^ b ^ ab ^ c ^ ac ^ abc ^ d ^ cd ^ acd
#define SERPENT_4                                                                                  \
    y[0] = ~(b ^ ab ^ c ^ d ^ ad ^ bd),                                                            \
    y[1] = a ^ ac ^ bc ^ d ^ bd ^ cd ^ acd ^ bcd,                                                  \
    y[2] = a ^ ab ^ c ^ bc ^ abc ^ bd ^ abd ^ cd ^ bcd,                                            \
    y[3] = a ^ b ^ c ^ bc ^ ad ^ bd ^ abd
#define SERPENT_5                                                                                  \
    y[0] = ~(b ^ ab ^ c ^ d ^ ad ^ bd),                                                            \
    y[1] = ~(a ^ ab ^ c ^ d ^ bd ^ abd ^ cd),                                                      \
    y[2] = ~(b ^ ac ^ d ^ abd ^ cd ^ acd ^ bcd),                                                   \
    y[3] = ~(a ^ b ^ c ^ abc ^ d ^ ad ^ acd)
#define SERPENT_6                                                                                  \
    y[0] = ~(a ^ b ^ c ^ ac ^ bc ^ abc ^ d ^ abd ^ bcd),                                           \
    y[1] = ~(b ^ c ^ ad),                                                                          \
    y[2] = ~(a ^ ab ^ c ^ bc ^ abc ^ bd ^ abd ^ cd ^ bcd),                                         \
    y[3] = b ^ ab ^ c ^ ac ^ abc ^ d ^ cd ^ bcd
#define SERPENT_7                                                                                  \
    y[0] = ~(ab ^ c ^ ad ^ bd ^ cd ^ acd ^ bcd),                                                   \
    y[1] = b ^ ab ^ c ^ ac ^ bc ^ d ^ ad ^ abd ^ acd,                                              \
    y[2] = a ^ b ^ c ^ abc ^ d ^ ad ^ bd ^ abd ^ bcd,                                              \
    y[3] = a ^ b ^ c ^ ac ^ abc ^ ad

#define SERPENT_BOX(number)                                                                        \
    ALWAYS_INLINE void serpent_box_##number(uint32_t y[4]) {                                       \
        uint32_t a = y[0], b = y[1], c = y[2], d = y[3];                                           \
        uint32_t ab = a & b, ac = a & c, ad = a & d, bc = b & c, bd = b & d, cd = c & d;           \
        uint32_t abc = ab & c, abd = ab & d, acd = ac & d, bcd = bc & d;                           \
        (void)(ab ^ ac ^ ad ^ bc ^ bd ^ cd ^ abc ^ abd ^ acd ^ bcd);                               \
        SERPENT_##number;                                                                          \
    }

SERPENT_BOX(0)
SERPENT_BOX(1)
SERPENT_BOX(2)
SERPENT_BOX(3)
SERPENT_BOX(4)
SERPENT_BOX(5)
SERPENT_BOX(6)
SERPENT_BOX(7)

static void serpent_box(uint32_t number, uint32_t y[4]) {
    switch (number % 8) {
    case 0: serpent_box_0(y); break;
    case 1: serpent_box_1(y); break;
    case 2: serpent_box_2(y); break;
    case 3: serpent_box_3(y); break;
    case 4: serpent_box_4(y); break;
    case 5: serpent_box_5(y); break;
    case 6: serpent_box_6(y); break;
    default: serpent_box_7(y); break;
    }
}

/* Serpent's linear transformation. */
static void serpent_linear(uint32_t y[4]) {
    y[0] = left32(y[0], 13);
    y[2] = left32(y[2], 3);
    y[1] = left32(y[1] ^ y[0] ^ y[2], 1);
    y[3] = left32(y[3] ^ y[2] ^ y[0] << 3, 7);
    y[0] = left32(y[0] ^ y[1] ^ y[3], 5);
    y[2] = left32(y[2] ^ y[3] ^ y[1] << 7, 22);
}

/* The first 25 sub-keys of Serpent under a key of 32 bytes. */
static void sosemanuk_set_key(void *context, const uint8_t *key) {
    sosemanuk *it = context;
    uint32_t w[8];
    for (int i = 0; i < 8; i++)
        w[i] = load_little(key + 4 * i);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t sum = w[i % 8] ^ w[(i + 3) % 8] ^ w[(i + 5) % 8] ^ w[(i + 7) % 8];
        w[i % 8] = left32(sum ^ 0x9e3779b9 ^ i, 11);
        it->keys[i / 4][i % 4] = w[i % 8];
    }
    for (uint32_t i = 0; i < 25; i++)
        serpent_box(35 - i, it->keys[i]);
}

/* Section 4: the IV is encrypted in 24 rounds; what is there after 12, 18 and 24 is the state. */
static void sosemanuk_start(void *context, const uint8_t *iv) {
    sosemanuk *it = context;
    uint32_t y[4], *s = it->s;
    for (int i = 0; i < 4; i++)
        y[i] = load_little(iv + 4 * i);
    for (uint32_t round = 0; round < 24; round++) {
        for (int i = 0; i < 4; i++)
            y[i] ^= it->keys[round][i];
        serpent_box(round, y);
        serpent_linear(y);
        if (round == 11) {
            s[6] = y[3];
            s[7] = y[2];
            s[8] = y[1];
            s[9] = y[0];
        } else if (round == 17) {
            s[4] = y[1];
            s[5] = y[3];
            it->r1 = y[0];
            it->r2 = y[2];
        }
    }
    for (int i = 0; i < 4; i++)
        s[3 - i] = y[i] ^ it->keys[24][i];
    it->left = 0;
}

/* Sections 3.2 to 3.4: four steps. */
static void sosemanuk_piece(sosemanuk *it, uint8_t *bytes) {
    uint32_t *s = it->s, f[4];
    for (int t = 0; t < 4; t++) {
        uint32_t r1 = it->r1;
        it->r1 = it->r2 + (s[t + 1] ^ (s[t + 8] & (0 - (r1 & 1))));
        it->r2 = left32(r1 * 0x54655307, 7);
        f[t] = (s[t + 9] + it->r1) ^ it->r2;
        s[t + 10] = s[t + 9] ^ s[t + 3] >> 8 ^ sosemanuk_down[s[t + 3] & 0xff] ^ s[t] << 8 ^
                    sosemanuk_up[s[t] >> 24];
    }
    serpent_box_2(f);
    for (int t = 0; t < 4; t++)
        store_little(bytes + 4 * t, f[t] ^ s[t]);
    for (int i = 0; i < 10; i++)
        s[i] = s[i + 4];
}

PROCESS(sosemanuk_keystream_reference, sosemanuk, sosemanuk_piece, 16)

static const rung rungs[] = {
    REFERENCE("sosemanuk", "keystream", 32, 16, sosemanuk, sosemanuk_prepare, sosemanuk_set_key,
              sosemanuk_start, sosemanuk_keystream_reference),
};

const family sosemanuk_family = {rungs, sizeof rungs / sizeof rungs[0]};
