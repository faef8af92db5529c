#include "rung.h"

#include <string.h>

extern const family sm4_block_family;
extern const family sm4_gather_family;
extern const family sm4_bit_slice_family;
extern const family rc2_family;
extern const family rc4_family;
extern const family rc5_family;
extern const family idea_family;
extern const family zuc_family;
extern const family zuc_mac_family;
extern const family trivium_family;
extern const family grain_family;
extern const family mickey_family;
extern const family enocoro_family;
extern const family hc128_family;
extern const family rabbit_family;
extern const family salsa20_family;
extern const family sosemanuk_family;
extern const family ctr_family;

static const family *const all[] = {
    &sm4_block_family, &sm4_gather_family, &sm4_bit_slice_family, &rc2_family,     &rc4_family,
    &rc5_family,       &idea_family,       &zuc_family,           &trivium_family, &grain_family,
    &mickey_family,    &enocoro_family,    &hc128_family,         &rabbit_family,  &salsa20_family,
    &sosemanuk_family, &ctr_family,        &zuc_mac_family,
};

size_t rung_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        count += all[i]->count;
    return count;
}

const rung *rung_at(size_t index) {
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (index < all[i]->count)
            return &all[i]->rungs[index];
        index -= all[i]->count;
    }
    return NULL;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char *ladder_version(void) { return LADDER_VERSION; }

EXPORTED const char *ladder_build(void) {
    return LADDER_COMPILER " " __VERSION__ " " LADDER_FLAGS;
}

EXPORTED size_t ladder_rung_bytes(void) { return sizeof(rung); }

EXPORTED const rung *ladder_rung(size_t index) { return rung_at(index); }

const rung *find_rung(const char *algorithm, const char *operation, const char *name) {
    const rung *it;
    for (size_t i = 0; (it = rung_at(i)) != NULL; i++) {
        bool same = strcmp(it->algorithm, algorithm) == 0 && strcmp(it->operation, operation) == 0;
        if (same && (name == NULL || strcmp(it->name, name) == 0))
            return it;
    }
    return NULL;
}
