#include "sm4.h"

uint32_t sm4_table[256];
uint32_t sm4_tables[4][256];
uint32_t sm4_wide_tables[2][65536];

/* 6.2 b): the linear transformation L. */
static uint32_t linear(uint32_t b) {
    return b ^ rotate_left(b, 2) ^ rotate_left(b, 10) ^ rotate_left(b, 18) ^ rotate_left(b, 24);
}

void sm4_prepare_table(void) {
    for (int i = 0; i < 256; i++)
        sm4_table[i] = linear(sm4_sbox[i]);
}

void sm4_prepare_tables(void) {
    for (int i = 0; i < 256; i++)
        for (int byte = 0; byte < 4; byte++)
            sm4_tables[byte][i] = linear((uint32_t)sm4_sbox[i] << 8 * byte);
}

void sm4_prepare_wide_tables(void) {
    for (int i = 0; i < 65536; i++) {
        uint32_t both = (uint32_t)sm4_sbox[i >> 8] << 8 | sm4_sbox[i & 0xff];
        for (int half = 0; half < 2; half++)
            sm4_wide_tables[half][i] = linear(both << 16 * half);
    }
}
