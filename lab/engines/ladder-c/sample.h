/* The timing loop. */
#ifndef LADDER_SAMPLE_H
#define LADDER_SAMPLE_H

#include <stdint.h>

/* Calls that are timed: the next message or batch. */
typedef struct call {
    void (*next)(void *state);
    void *state;
} call;

typedef struct series {
    uint64_t repeats; /* calls a sample */
    uint64_t count;   /* samples: odd, at least 3 */
    uint64_t *samples;
} series;

typedef struct sampler {
    uint64_t overhead; /* ticks that two readings with nothing between are apart */
    double hertz;
} sampler;

sampler sampler_new(void);

/* Takes a series, every sample with a multiple of `unit` calls; `budget` is in microseconds, 0 for
 * no bound. `samples` has room for as many as are asked. */
series sampler_take(const sampler *it, call work, uint64_t unit, uint64_t asked, uint64_t budget,
                    uint64_t *samples);

/* Ticks per dependent addition, a cycle of the core whatever else it does: the least of three. */
double sampler_chain(const sampler *it);

/* How often this process was put on a CPU; -1 if the system does not tell. */
long long sampler_turns(void);

#endif
