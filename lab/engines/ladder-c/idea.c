/* IDEA's rungs. */
#include "older.h"

/* The key, rotated to the left by 25 bits after each eight words. */
static void idea_expand(const uint8_t *key, uint16_t keys[52]) {
    for (int i = 0; i < 52; i++) {
        int bit = 25 * (i / 8) + 16 * (i % 8), at = bit / 8;
        uint32_t three = (uint32_t)key[at % 16] << 16 | (uint32_t)key[(at + 1) % 16] << 8 |
                         key[(at + 2) % 16];
        keys[i] = (uint16_t)(three >> (8 - bit % 8));
    }
}

/* The study's function, three conditional jumps and a call: modulo 2^16 + 1, 0 being 2^16. */
NEVER_INLINE uint32_t idea_multiply(uint32_t x, uint32_t y) {
    if (x == 0)
        return 1 - y;
    if (y == 0)
        return 1 - x;
    uint32_t product = x * y, low = product & 0xffff, high = product >> 16;
    if (low < high)
        return low - high + 1;
    return low - high;
}

/* What holds a product, for each width of variables. */
typedef uint32_t idea_product_uint16_t;
typedef uint32_t idea_product_uint32_t;
typedef uint64_t idea_product_uint64_t;

#define RUNG optimised
#include "idea_rung.inc"

#define RUNG loop
#define UNROLLED 0
#include "idea_rung.inc"

#define RUNG byte_order_by_shifts
#define WORD_ORDER BY_SHIFTS
#include "idea_rung.inc"

#define RUNG byte_order_through_memory
#define WORD_ORDER THROUGH_MEMORY
#include "idea_rung.inc"

#define RUNG narrow_variables
#define WORD uint16_t
#include "idea_rung.inc"

#define RUNG 64_bit_variables
#define WORD uint64_t
#include "idea_rung.inc"

#define RUNG many_variables
#define MANY 1
#include "idea_rung.inc"

#define RUNG division
#define DIVISION AT_RUN_TIME
#include "idea_rung.inc"

#define RUNG division_by_a_constant
#define DIVISION BY_A_CONSTANT
#include "idea_rung.inc"

#define RUNG multiply_in_a_function
#define MULTIPLY IN_A_FUNCTION
#include "idea_rung.inc"

#define RUNG multiply_with_branches
#define MULTIPLY WITH_BRANCHES
#include "idea_rung.inc"

#define RUNG multiply_without_branches
#define MULTIPLY WITHOUT_BRANCHES
#include "idea_rung.inc"

#define RUNG unoptimised
#define UNROLLED 0
#define WORD uint16_t
#define MULTIPLY IN_A_FUNCTION
#define WORD_ORDER BY_SHIFTS
#include "idea_rung.inc"

#define IDEA(rung_name, function)                                                                  \
    {                                                                                              \
        .algorithm = "idea", .operation = "cbc-encrypt", .name = rung_name, .key_bytes = 16,       \
        .iv_bytes = 8, .granule = 8, .context_bytes = sizeof(idea_##function),                     \
        .set_key = idea_set_key_##function, .start = idea_start_##function,                        \
        .process = idea_cbc_encrypt_##function,                                                    \
    }

static const rung rungs[] = {
    IDEA("optimised", optimised),
    IDEA("loop", loop),
    IDEA("byte-order-by-shifts", byte_order_by_shifts),
    IDEA("byte-order-through-memory", byte_order_through_memory),
    IDEA("narrow-variables", narrow_variables),
    IDEA("64-bit-variables", 64_bit_variables),
    IDEA("many-variables", many_variables),
    IDEA("division", division),
    IDEA("division-by-a-constant", division_by_a_constant),
    IDEA("multiply-in-a-function", multiply_in_a_function),
    IDEA("multiply-with-branches", multiply_with_branches),
    IDEA("multiply-without-branches", multiply_without_branches),
    IDEA("unoptimised", unoptimised),
};

const family idea_family = {rungs, sizeof rungs / sizeof rungs[0]};
