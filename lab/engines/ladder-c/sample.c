#include "sample.h"

#include <stdio.h>
#include <time.h>

#include "clock.h"

/* A sample lasts at least so many seconds. */
static const double SAMPLE_SECONDS = 15e-6;

enum { ADDITIONS = 16000 };

static uint64_t elapsed(const sampler *it, uint64_t start) {
    uint64_t ticks = clock_ticks() - start;
    return ticks > it->overhead ? ticks - it->overhead : 1;
}

sampler sampler_new(void) {
    sampler it = {0, 1e9};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t start = clock_ticks(), apart = clock_ticks() - start;
        least = apart < least ? apart : least;
    }
    it.overhead = least;
    const struct timespec pause = {0, 20 * 1000 * 1000};
    uint64_t wall = wall_nanoseconds(), ticks = clock_ticks();
    nanosleep(&pause, NULL);
    ticks = clock_ticks() - ticks;
    wall = wall_nanoseconds() - wall;
    it.hertz = (double)ticks * 1e9 / (double)wall;
    return it;
}

static uint64_t timed(const sampler *it, call work, uint64_t repeats) {
    uint64_t start = clock_ticks();
    for (uint64_t i = 0; i < repeats; i++)
        work.next(work.state);
    return elapsed(it, start);
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most) {
    return value < least ? least : value > most ? most : value;
}

series sampler_take(const sampler *it, call work, uint64_t unit, uint64_t asked, uint64_t budget,
                    uint64_t *samples) {
    double floor = SAMPLE_SECONDS * it->hertz;
    uint64_t repeats = unit, ticks = timed(it, work, repeats);
    /* Of work that is long beside the floor one call tells enough. */
    while ((double)ticks <= 8 * floor) {
        /* The lesser of two: an interruption must not pass for work. */
        uint64_t again = timed(it, work, repeats);
        ticks = again < ticks ? again : ticks;
        if ((double)ticks >= floor)
            break;
        double wanted = (double)repeats * 1.1 * floor / (double)ticks;
        repeats = clamp((uint64_t)wanted, repeats + 1, 8 * repeats);
        repeats = (repeats + unit - 1) / unit * unit;
        ticks = timed(it, work, repeats);
    }
    uint64_t count = asked;
    if (budget != 0) {
        double affordable = (double)budget * 1e-6 * it->hertz / (double)ticks;
        count = affordable > (double)asked ? asked : clamp((uint64_t)affordable, 3, asked);
        count -= count % 2 == 0;
    }
    for (uint64_t i = 0; i < count; i++)
        samples[i] = timed(it, work, repeats);
    return (series){repeats, count, samples};
}

double sampler_chain(const sampler *it) {
    uint64_t least = UINT64_MAX;
    for (int try = 0; try < 3; try++) {
        volatile uint64_t first = 1;
        uint64_t a = first, b = 1, start = clock_ticks();
        for (int i = 0; i < ADDITIONS / 16; i++) {
            for (int j = 0; j < 8; j++) {
                a += b;
                b += a;
#if defined(__GNUC__)
                /* Else the compiler finds short cuts through the sequence. */
                __asm__ volatile("" : "+r"(a), "+r"(b));
#endif
            }
        }
        uint64_t ticks = elapsed(it, start);
        first = b;
        least = ticks < least ? ticks : least;
    }
    return (double)least / ADDITIONS;
}

long long sampler_turns(void) {
    /* Time on the CPU, time waiting for one, number of turns (proc_pid_schedstat(5)). */
    FILE *file = fopen("/proc/self/schedstat", "r");
    long long on, waiting, turns = -1;
    if (file == NULL)
        return -1;
    if (fscanf(file, "%lld %lld %lld", &on, &waiting, &turns) != 3)
        turns = -1;
    fclose(file);
    return turns;
}
