/* MICKEY-128 2.0 (Babbage and Dodd, eSTREAM): clock by clock, the registers in words. */
#include "stream.h"

enum { MICKEY_BITS = 160, MICKEY_WORDS = 5 };

/* Stage i of a register is bit i % 32 of word i / 32. */
typedef struct mickey {
    uint32_t r[MICKEY_WORDS], s[MICKEY_WORDS];
    uint8_t key[16];
    REST(1);
} mickey;

/* Sections 3.1 and 3.2, in the order of the stages: the taps of R, and COMP0, COMP1, FB0 and FB1 of
 * S. */
static const uint32_t mickey_taps[MICKEY_WORDS] = {0x42114d31, 0xf3ec4c59,
    0x9c679626, 0x803bbe32, 0x375253af};
static const uint32_t mickey_comp0[MICKEY_WORDS] = {0x5dd6f25e, 0x79260955,
    0x79007062, 0x37afd931, 0x0fbe06be};
static const uint32_t mickey_comp1[MICKEY_WORDS] = {0x7d191f30, 0xfeb63c98,
    0x7c00c3e0, 0x6660e345, 0x7ff45bb5};
static const uint32_t mickey_fb[2][MICKEY_WORDS] = {
    {0xc43c1faf, 0x0e2fa322, 0x66e54d81, 0xd4544b91, 0x83630bc1},
    {0x9bf477ab, 0x70798c90, 0x6f9a18b6, 0x6c4b7ee7, 0x11a780ef},
};

#define STAGE(x, i) ((x)[(i) / 32] >> (i) % 32 & 1)

/* CLOCK_KG of section 3.3; `mixed` is a mask. */
static void mickey_clock(mickey *it, uint32_t mixed, uint32_t input) {
    uint32_t *r = it->r, *s = it->s;
    uint32_t control_r = 0 - (STAGE(s, 54) ^ STAGE(r, 106));
    uint32_t control_s = STAGE(s, 106) ^ STAGE(r, 53);
    uint32_t back_r = 0 - (STAGE(r, 159) ^ input ^ (STAGE(s, 80) & mixed));
    uint32_t back_s = 0 - (STAGE(s, 159) ^ input), below_r = 0, below_s = 0;
    for (int i = 0; i < MICKEY_WORDS; i++) {
        uint32_t old = r[i], here = s[i];
        uint32_t above = here >> 1 | (i + 1 < MICKEY_WORDS ? s[i + 1] << 31 : 0);
        /* The first and the last stage have no product. */
        uint32_t inner = i == 0 ? 0xfffffffe : i + 1 == MICKEY_WORDS ? 0x7fffffff : 0xffffffff;
        uint32_t product = (here ^ mickey_comp0[i]) & (above ^ mickey_comp1[i]) & inner;
        r[i] = (old << 1 | below_r) ^ (mickey_taps[i] & back_r) ^ (old & control_r);
        s[i] = (here << 1 | below_s) ^ product ^ (mickey_fb[control_s][i] & back_s);
        below_r = old >> 31;
        below_s = here >> 31;
    }
}

/* Section 4.2: the most significant bit of a byte first. */
static void mickey_piece(mickey *it, uint8_t *bytes) {
    uint32_t byte = 0;
    for (int i = 0; i < 8; i++) {
        byte = byte << 1 | ((it->r[0] ^ it->s[0]) & 1);
        mickey_clock(it, 0, 0);
    }
    bytes[0] = (uint8_t)byte;
}

static void mickey_set_key(void *context, const uint8_t *key) {
    copy_bytes(((mickey *)context)->key, key, 16);
}

static void mickey_load(mickey *it, const uint8_t *bytes) {
    for (int i = 0; i < 128; i++)
        mickey_clock(it, 1, bytes[i / 8] >> (7 - i % 8) & 1);
}

/* Section 4.1. */
static void mickey_start(void *context, const uint8_t *iv) {
    mickey *it = context;
    for (int i = 0; i < MICKEY_WORDS; i++)
        it->r[i] = it->s[i] = 0;
    mickey_load(it, iv);
    mickey_load(it, it->key);
    for (int i = 0; i < MICKEY_BITS; i++)
        mickey_clock(it, 1, 0);
    it->left = 0;
}

PROCESS(mickey_128_keystream_reference, mickey, mickey_piece, 1)

static const rung rungs[] = {
    REFERENCE("mickey-128", "keystream", 16, 16, mickey, NULL, mickey_set_key, mickey_start,
              mickey_128_keystream_reference),
};

const family mickey_family = {rungs, sizeof rungs / sizeof rungs[0]};
