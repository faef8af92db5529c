/* The clock of the samples: the time-stamp counter with fences where there is one, else the
 * monotonic clock in nanoseconds. */
#ifndef LADDER_CLOCK_H
#define LADDER_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t wall_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define CLOCK_NAME "tsc"

/* What stands before is done before the counter is read, what follows begins after. */
static inline uint64_t clock_ticks(void) {
    _mm_lfence();
    uint64_t ticks = __builtin_ia32_rdtsc();
    _mm_lfence();
    return ticks;
}
#else
#define CLOCK_NAME "wall"

static inline uint64_t clock_ticks(void) { return wall_nanoseconds(); }
#endif

#endif
