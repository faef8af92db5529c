#include "input.h"

#include <string.h>

static const uint64_t GOLDEN = 0x9e3779b97f4a7c15;

/* The simple Internet mix, in bytes. */
enum { DOZEN = 12 };
static const uint64_t IMIX[DOZEN] = {40, 40, 40, 40, 40, 40, 40, 576, 576, 576, 576, 1500};

/* The finaliser of SplitMix64. */
static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void input_fill(uint64_t seed, uint64_t kind, uint64_t index, uint8_t *out, size_t length) {
    uint64_t state = mix(mix(seed + GOLDEN) + (kind << 32) + index);
    for (size_t place = 0; place < length; place += 8) {
        state += GOLDEN;
        uint64_t word = mix(state);
        word = word == 0 ? GOLDEN : word;
        for (size_t i = place; i < place + 8 && i < length; i++)
            out[i] = (uint8_t)(word >> 8 * (i - place));
    }
}

uint64_t load_le64(const uint8_t bytes[8]) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

uint64_t mix_granule(uint64_t size) {
    static const uint64_t granules[] = {1, 8, 16};
    for (int i = 0; i < 3; i++) {
        uint64_t total = 0;
        for (int j = 0; j < DOZEN; j++)
            total += round_up(IMIX[j], granules[i]);
        if ((total + 6) / DOZEN == size)
            return granules[i];
    }
    return 0;
}

static uint64_t gcd(uint64_t a, uint64_t b) { return b == 0 ? a : gcd(b, a % b); }

uint64_t input_buffers(const task *it, uint64_t size) {
    size = size == 0 ? 1 : size;
    if (it->model != BATCH) {
        uint64_t fit = RING_BYTES / size;
        return fit < 1 ? 1 : fit > RING_SLOTS ? RING_SLOTS : fit;
    }
    uint64_t least = it->messages * (it->imix ? DOZEN / gcd(DOZEN, it->messages) : 1);
    uint64_t wanted = (RING_SLOTS + least - 1) / least;
    uint64_t fit = RING_BYTES / size / least;
    if (!it->imix && fit < wanted)
        wanted = fit < 1 ? 1 : fit;
    return least * wanted;
}

void input_lengths(const task *it, uint64_t size, size_t count, size_t *out) {
    if (!it->imix) {
        for (size_t i = 0; i < count; i++)
            out[i] = (size_t)size;
        return;
    }
    uint64_t granule = mix_granule(it->size);
    for (size_t dozen = 0; dozen * DOZEN < count; dozen++) {
        uint64_t twelve[DOZEN];
        uint8_t words[8 * (DOZEN - 1)];
        memcpy(twelve, IMIX, sizeof twelve);
        input_fill(it->seed, KIND_LENGTH, dozen, words, sizeof words);
        for (size_t place = DOZEN - 1; place > 0; place--) {
            uint64_t other = load_le64(words + 8 * (DOZEN - 1 - place)) % (place + 1);
            uint64_t kept = twelve[place];
            twelve[place] = twelve[other];
            twelve[other] = kept;
        }
        for (size_t i = 0; i < DOZEN && dozen * DOZEN + i < count; i++)
            out[dozen * DOZEN + i] = (size_t)round_up(twelve[i], granule);
    }
}
