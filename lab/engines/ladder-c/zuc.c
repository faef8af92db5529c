/* The keystreams of ZUC-128 and ZUC-256. */
#include "zuc.h"

static void zuc_piece(zuc *it, uint8_t *bytes) { store_big(bytes, zuc_word(it)); }

static void zuc_256_start(void *context, const uint8_t *iv) {
    zuc_256_load(context, iv, 0x22, 0x24);
}

PROCESS(zuc_128_keystream_reference, zuc, zuc_piece, 4)
PROCESS(zuc_256_keystream_reference, zuc, zuc_piece, 4)

static const rung rungs[] = {
    REFERENCE("zuc-128", "keystream", 16, 16, zuc, NULL, zuc_128_set_key, zuc_128_start,
              zuc_128_keystream_reference),
    REFERENCE("zuc-256", "keystream", 32, 23, zuc, NULL, zuc_256_set_key, zuc_256_start,
              zuc_256_keystream_reference),
};

const family zuc_family = {rungs, sizeof rungs / sizeof rungs[0]};
