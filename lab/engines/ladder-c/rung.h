/* What a rung of the ladder is. Each cipher's file registers its own; the engine knows no cipher. */
#ifndef LADDER_RUNG_H
#define LADDER_RUNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For small functions that are to be no calls even where nothing is optimised. */
#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* One way of writing one operation. The laboratory asks for it as a level of that operation.
 *
 * By convention the function behind `process` is named ALGORITHM_OPERATION_NAME with `_` for `-`,
 * so that the machine code of two rungs can be found and compared. */
typedef struct rung {
    const char *algorithm; /* as the registry has it, e.g. "sm4" */
    const char *operation; /* e.g. "ecb-encrypt" */
    const char *name;      /* the idea, e.g. "tables-4x1k" */
    size_t key_bytes;
    size_t iv_bytes; /* 0 where there is none */
    size_t granule;  /* messages are a multiple of so many bytes */
    size_t context_bytes;
    /* Fills tables; once, before any key, outside the clock. May be null. */
    void (*prepare)(void);
    /* The key schedule. A loop finds its number of rounds in the context: the compiler must not
     * know it. */
    void (*set_key)(void *context, const uint8_t *key);
    /* Begins a message under the key that was set; `iv` is null where there is none. May be null. */
    void (*start)(void *context, const uint8_t *iv);
    /* Goes on with the message. Input and output are the same or apart. */
    void (*process)(void *context, const uint8_t *input, uint8_t *output, size_t bytes);
    /* Why this CPU can't run it; null if it can. May be null. */
    const char *(*lacks)(void);
    /* Whether `process` leaves the context alone and pieces of a message may be shared by
     * threads. */
    bool splits;
    /* Whether one block at a time, each input the output before, is a sensible question. */
    bool latency;
    /* Of a MAC, for which `process` takes the message and writes nothing: the length of a tag, and
     * what ends a message and writes it. 0 and null where there is none. */
    size_t tag_bytes;
    void (*tag)(void *context, uint8_t *tag);
} rung;

typedef struct family {
    const rung *rungs;
    size_t count;
} family;

/* All rungs of all ciphers, in order; null behind the last. A new cipher is a line in
 * families.c. */
size_t rung_count(void);
const rung *rung_at(size_t index);

/* What a library of rungs tells the engine, which opens it: how it was made, the length of the
 * structure `rung`, and the rungs as above. */
const char *ladder_version(void);
const char *ladder_build(void);
size_t ladder_rung_bytes(void);
const rung *ladder_rung(size_t index);

/* The rung of that name, or the first of the operation if `name` is null; null if there is none. */
const rung *find_rung(const char *algorithm, const char *operation, const char *name);

#endif
