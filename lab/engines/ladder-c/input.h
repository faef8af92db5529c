/* The one generator of keys, IVs and data, and the lengths of a mix: the same in every engine. */
#ifndef LADDER_INPUT_H
#define LADDER_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "task.h"

enum { KIND_KEY = 1, KIND_IV, KIND_DATA, KIND_AAD, KIND_LENGTH, KIND_DRAW };

/* Keys and IVs of the ring, and the bytes that its buffers may fill together. */
enum { RING_SLOTS = 64, RING_BYTES = 1 << 20 };

/* The length of the messages on which init and key are checked. */
enum { SETUP_CHECK_BYTES = 64 };

void input_fill(uint64_t seed, uint64_t kind, uint64_t index, uint8_t *out, size_t length);

/* The block that lengths of the mix are rounded up to, told by their mean; 0 if none. */
uint64_t mix_granule(uint64_t size);

/* How many different messages of that length a task has. */
uint64_t input_buffers(const task *it, uint64_t size);

/* The length of each of so many messages. */
void input_lengths(const task *it, uint64_t size, size_t count, size_t *out);

uint64_t load_le64(const uint8_t bytes[8]);

static inline uint64_t round_up(uint64_t value, uint64_t granule) {
    return (value + granule - 1) / granule * granule;
}

#endif
