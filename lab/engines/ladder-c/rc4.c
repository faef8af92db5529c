/* RC4's rungs. */
#include "older.h"

#define RUNG optimised
#include "rc4_rung.inc"

#define RUNG loop
#define UNROLLED 0
#include "rc4_rung.inc"

#define RUNG narrow_variables
#define WORD uint8_t
#include "rc4_rung.inc"

#define RUNG 64_bit_variables
#define WORD uint64_t
#include "rc4_rung.inc"

#define RUNG division
#define DIVISION AT_RUN_TIME
#include "rc4_rung.inc"

#define RUNG division_by_a_constant
#define DIVISION BY_A_CONSTANT
#include "rc4_rung.inc"

#define RUNG unoptimised
#define UNROLLED 0
#define WORD uint8_t
#include "rc4_rung.inc"

#define RC4(rung_name, function)                                                                   \
    {                                                                                              \
        .algorithm = "rc4", .operation = "keystream", .name = rung_name, .key_bytes = 16,          \
        .granule = 1, .context_bytes = sizeof(rc4_##function), .set_key = rc4_set_key_##function,  \
        .start = rc4_start_##function, .process = rc4_keystream_##function,                        \
    }

static const rung rungs[] = {
    RC4("optimised", optimised),
    RC4("loop", loop),
    RC4("narrow-variables", narrow_variables),
    RC4("64-bit-variables", 64_bit_variables),
    RC4("division", division),
    RC4("division-by-a-constant", division_by_a_constant),
    RC4("unoptimised", unoptimised),
};

const family rc4_family = {rungs, sizeof rungs / sizeof rungs[0]};
