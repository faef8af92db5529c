/* What the rungs "reference" share: ciphers of the first study in standard C, each written from its
 * specification as one would for any machine of 32 bits, without instructions of one's own. */
#ifndef LADDER_STREAM_H
#define LADDER_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "rung.h"

ALWAYS_INLINE uint32_t left32(uint32_t x, int count) { return x << count | x >> (32 - count); }

ALWAYS_INLINE uint32_t right32(uint32_t x, int count) { return x >> count | x << (32 - count); }

ALWAYS_INLINE uint32_t load_little(const uint8_t *bytes) {
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

ALWAYS_INLINE void store_little(uint8_t *bytes, uint32_t word) {
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
}

ALWAYS_INLINE uint32_t load_big(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

ALWAYS_INLINE void store_big(uint8_t *bytes, uint32_t word) {
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

ALWAYS_INLINE void copy_bytes(uint8_t *to, const uint8_t *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

/* Part of every context: the last piece of keystream, of which so many bytes are left. */
#define REST(length)                                                                               \
    uint8_t rest[length];                                                                          \
    size_t left

/* Defines the function behind `process`, over a function that makes the next piece of keystream, of
 * so many bytes. A message may come in parts of any length. */
#define PROCESS(function, type, piece, length)                                                     \
    static void function(void *context, const uint8_t *input, uint8_t *output, size_t bytes) {     \
        type *it = context;                                                                        \
        size_t at = 0;                                                                             \
        for (; it->left > 0 && at < bytes; at++)                                                   \
            output[at] = input[at] ^ it->rest[(length)-it->left--];                                \
        for (; bytes - at >= (length); at += (length)) {                                           \
            piece(it, it->rest);                                                                   \
            for (size_t i = 0; i < (length); i++)                                                  \
                output[at + i] = input[at + i] ^ it->rest[i];                                      \
        }                                                                                          \
        if (at == bytes)                                                                           \
            return;                                                                                \
        piece(it, it->rest);                                                                       \
        it->left = (length) - (bytes - at);                                                        \
        for (size_t i = 0; at + i < bytes; i++)                                                    \
            output[at + i] = input[at + i] ^ it->rest[i];                                          \
    }

/* The rung of a keystream. */
#define REFERENCE(algorithm_name, operation_name, key, iv, type, tables, set, begin, function)     \
    {                                                                                              \
        .algorithm = algorithm_name, .operation = operation_name, .name = "reference",             \
        .key_bytes = key, .iv_bytes = iv, .granule = 1, .context_bytes = sizeof(type),             \
        .prepare = tables, .set_key = set, .start = begin, .process = function,                    \
    }

#endif
