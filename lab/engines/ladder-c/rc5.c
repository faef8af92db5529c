/* RC5's rungs (Rivest, The RC5 encryption algorithm): words of 32 bits, 12 rounds, 16 bytes of
 * key. */
#include "older.h"

static uint32_t rc5_word(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t rotated(uint32_t x, uint32_t by) { return x << (by & 31) | x >> (-by & 31); }

static void rc5_expand(const uint8_t *key, uint32_t keys[26]) {
    uint32_t words[4], a = 0, b = 0;
    for (int i = 0; i < 4; i++)
        words[i] = rc5_word(key + 4 * i);
    keys[0] = 0xb7e15163;
    for (int i = 1; i < 26; i++)
        keys[i] = keys[i - 1] + 0x9e3779b9;
    for (int i = 0; i < 78; i++) {
        a = keys[i % 26] = rotated(keys[i % 26] + a + b, 3);
        b = words[i % 4] = rotated(words[i % 4] + a + b, a + b);
    }
}

#define RUNG optimised
#include "rc5_rung.inc"

#define RUNG loop
#define UNROLLED 0
#include "rc5_rung.inc"

#define RUNG byte_order_by_shifts
#define WORD_ORDER BY_SHIFTS
#include "rc5_rung.inc"

#define RUNG byte_order_through_memory
#define WORD_ORDER THROUGH_MEMORY
#include "rc5_rung.inc"

#define RUNG many_variables
#define MANY 1
#include "rc5_rung.inc"

#define RUNG division
#define DIVISION AT_RUN_TIME
#include "rc5_rung.inc"

#define RUNG division_by_a_constant
#define DIVISION BY_A_CONSTANT
#include "rc5_rung.inc"

#define RUNG unoptimised
#define UNROLLED 0
#define WORD_ORDER BY_SHIFTS
#include "rc5_rung.inc"

#define RC5(rung_name, function)                                                                   \
    {                                                                                              \
        .algorithm = "rc5", .operation = "cbc-encrypt", .name = rung_name, .key_bytes = 16,        \
        .iv_bytes = 8, .granule = 8, .context_bytes = sizeof(rc5_##function),                      \
        .set_key = rc5_set_key_##function, .start = rc5_start_##function,                          \
        .process = rc5_cbc_encrypt_##function,                                                     \
    }

static const rung rungs[] = {
    RC5("optimised", optimised),
    RC5("loop", loop),
    RC5("byte-order-by-shifts", byte_order_by_shifts),
    RC5("byte-order-through-memory", byte_order_through_memory),
    RC5("many-variables", many_variables),
    RC5("division", division),
    RC5("division-by-a-constant", division_by_a_constant),
    RC5("unoptimised", unoptimised),
};

const family rc5_family = {rungs, sizeof rungs / sizeof rungs[0]};
