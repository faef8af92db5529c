/* The MACs of ZUC: 128-EIA3 (TS 35.221), and of ZUC-256 (2018) those of 32, 64 and 128 bits, whose code
 * is here twice: with the length of the tag known to the compiler, and with one code for all, as the
 * study had it, which finds the length in the context. */
#include "zuc.h"

typedef struct zuc_mac {
    zuc generator;
    uint32_t tag[4];
    uint32_t window[5]; /* the keystream from the next bit of the message on */
    uint32_t words;     /* of a tag, known only when the program runs */
    uint8_t part[4];    /* of a word of the message */
    size_t parts;
} zuc_mac;

static void zuc_mac_128_set_key(void *context, const uint8_t *key) {
    zuc_128_set_key(&((zuc_mac *)context)->generator, key);
}

static void zuc_mac_256_set_key(void *context, const uint8_t *key) {
    zuc_256_set_key(&((zuc_mac *)context)->generator, key);
}

/* A compiler that knew the number could make one code for each. */
static volatile uint32_t standard_words[3] = {1, 2, 4};

/* The masks that begin a tag, and the first window. */
static void zuc_mac_begin(zuc_mac *it, uint32_t words, int masked) {
    for (uint32_t i = 0; i < words; i++)
        it->tag[i] = masked ? zuc_word(&it->generator) : 0;
    for (uint32_t i = 0; i < words; i++)
        it->window[i] = zuc_word(&it->generator);
    it->words = words;
    it->parts = 0;
}

static void zuc_eia3_start(void *context, const uint8_t *iv) {
    zuc_mac *it = context;
    zuc_128_start(&it->generator, iv);
    zuc_mac_begin(it, 1, 0);
}

#define START(bits, d0, d2, place)                                                                 \
    static void zuc_mac##bits##_start(void *context, const uint8_t *iv) {                          \
        zuc_mac *it = context;                                                                     \
        zuc_256_load(&it->generator, iv, d0, d2);                                                  \
        zuc_mac_begin(it, standard_words[place], 1);                                               \
    }

START(32, 0x22, 0x25, 0)
START(64, 0x23, 0x24, 1)
START(128, 0x23, 0x25, 2)

#define RUNG zuc_128_eia3_reference
#define WORDS 1
#define LAST_WORD 1
#include "zuc_mac_rung.inc"

#define RUNG zuc_256_mac32_reference
#define WORDS 1
#include "zuc_mac_rung.inc"

#define RUNG zuc_256_mac64_reference
#define WORDS 2
#include "zuc_mac_rung.inc"

#define RUNG zuc_256_mac128_reference
#define WORDS 4
#include "zuc_mac_rung.inc"

#define RUNG zuc_256_any_tag
#define WORDS (it->words)
#include "zuc_mac_rung.inc"

#define MAC(algorithm_name, operation_name, rung_name, key, iv, bytes, set, begin, function)       \
    {                                                                                              \
        .algorithm = algorithm_name, .operation = operation_name, .name = rung_name,               \
        .key_bytes = key, .iv_bytes = iv, .granule = 1, .context_bytes = sizeof(zuc_mac),          \
        .set_key = set, .start = begin, .process = function, .tag_bytes = bytes,                   \
        .tag = function##_tag,                                                                     \
    }
#define OF_256(name, bits, rung_name, function)                                                    \
    MAC("zuc-256", name, rung_name, 32, 23, bits / 8, zuc_mac_256_set_key, zuc_mac##bits##_start,  \
        function)

static const rung rungs[] = {
    MAC("zuc-128", "eia3", "reference", 16, 16, 4, zuc_mac_128_set_key, zuc_eia3_start,
        zuc_128_eia3_reference),
    OF_256("mac32", 32, "tag-at-run-time", zuc_256_any_tag),
    OF_256("mac32", 32, "reference", zuc_256_mac32_reference),
    OF_256("mac64", 64, "tag-at-run-time", zuc_256_any_tag),
    OF_256("mac64", 64, "reference", zuc_256_mac64_reference),
    OF_256("mac128", 128, "tag-at-run-time", zuc_256_any_tag),
    OF_256("mac128", 128, "reference", zuc_256_mac128_reference),
};

const family zuc_mac_family = {rungs, sizeof rungs / sizeof rungs[0]};
