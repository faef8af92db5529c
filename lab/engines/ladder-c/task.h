/* The work of a request: a cell with its seed and buffer. */
#ifndef LADDER_TASK_H
#define LADDER_TASK_H

#include "line.h"

typedef enum model { INIT, KEY, STREAM, PACKET, MESSAGE, BATCH, LATENCY, MODELS } model;

extern const char *const model_names[MODELS];

typedef struct task {
    const char *algorithm, *operation, *level;
    model model;
    bool fresh, imix, in_place;
    uint64_t size, messages, threads, nonce_bytes, aad_bytes, seed, buffer;
} task;

/* The keys that every request about a task may have, then null. */
extern const char *const task_keys[];

bool task_read(const line *it, task *out, char reason[MAX_REASON]);

/* The bytes of one call's message: the message, or the buffer where that is shorter. */
uint64_t task_call_bytes(const task *it);

/* The model of one message of a batch. */
model task_single(const task *it);

static inline bool is_setup(model it) { return it == INIT || it == KEY; }

#endif
