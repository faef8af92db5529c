/* Keys, IVs and messages of a task, and the session that works on them. */
#ifndef LADDER_RING_H
#define LADDER_RING_H

#include "crew.h"
#include "rung.h"
#include "task.h"

typedef struct message {
    size_t slot;
    const uint8_t *input;
    uint8_t *output;
    size_t length;
} message;

typedef struct ring {
    const rung *rung;
    model model;      /* of one message */
    size_t slots;     /* keys and IVs */
    uint8_t *keys, *ivs;
    size_t count;     /* messages */
    message *messages;
    bool batch;       /* whether a call takes several messages, each under its own key */
    size_t each;      /* messages a call */
    bool on_the_spot; /* always the same message */
    uint8_t *inputs, *outputs; /* what the messages lie in; outputs may be null */
    uint8_t *contexts;         /* one, or one a slot */
    size_t context_stride;
    crew *crew; /* null for one thread */
    size_t next_slot, next_message;
} ring;

/* Fills a ring of a task whose messages have that size, and sets up the keys that are ready
 * before the clock starts. False if there is no memory or there are no threads. */
bool ring_make(ring *it, const rung *rung, const task *task, model single, uint64_t size);

/* The same for random messages. */
bool ring_random(ring *it, const rung *rung, const task *task, size_t count, uint64_t least,
                 uint64_t granule);

void ring_free(ring *it);

/* Works on every message once, each under the key of its own number. */
void ring_pass(ring *it);

/* The next call of a series; `state` is the ring. */
void ring_next(void *state);

/* SHA-256 over all outputs in order. */
void ring_digest(const ring *it, char out[65]);

#endif
