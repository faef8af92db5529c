#include "crew.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct member {
    crew *crew;
    unsigned number;
    pthread_t thread;
} member;

struct crew {
    unsigned threads;
    /* All meet here twice a call: when there is work, and when it is done. */
    pthread_barrier_t meeting;
    /* The work of the call; without a rung they go home. */
    const rung *rung;
    void *context;
    const uint8_t *input;
    uint8_t *output;
    size_t bytes;
    member *members;
};

/* The piece of one thread: blocks are dealt out so that no two pieces differ by more than one. */
static void piece(const crew *it, unsigned number) {
    size_t granule = it->rung->granule, blocks = it->bytes / granule;
    size_t from = blocks * number / it->threads * granule;
    size_t to = blocks * (number + 1) / it->threads * granule;
    if (to > from)
        it->rung->process(it->context, it->input + from, it->output + from, to - from);
}

static void *work(void *argument) {
    const member *self = argument;
    crew *it = self->crew;
    for (;;) {
        pthread_barrier_wait(&it->meeting);
        if (it->rung == NULL)
            return NULL;
        piece(it, self->number);
        pthread_barrier_wait(&it->meeting);
    }
}

crew *crew_hire(unsigned threads) {
    crew *it = calloc(1, sizeof *it);
    member *members = calloc(threads, sizeof *members);
    if (it == NULL || members == NULL || pthread_barrier_init(&it->meeting, NULL, threads) != 0) {
        free(members);
        free(it);
        return NULL;
    }
    it->threads = threads;
    it->members = members;
    for (unsigned i = 1; i < threads; i++) {
        members[i].crew = it;
        members[i].number = i;
        if (pthread_create(&members[i].thread, NULL, work, &members[i]) != 0) {
            /* Those that wait can't be called home, as the barrier never fills: they and what they
             * look at stay until the engine ends. */
            for (unsigned j = 1; j < i; j++)
                pthread_detach(members[j].thread);
            return NULL;
        }
    }
    return it;
}

void crew_dismiss(crew *it) {
    if (it == NULL)
        return;
    it->rung = NULL;
    pthread_barrier_wait(&it->meeting);
    for (unsigned i = 1; i < it->threads; i++)
        pthread_join(it->members[i].thread, NULL);
    pthread_barrier_destroy(&it->meeting);
    free(it->members);
    free(it);
}

void crew_process(crew *it, const rung *rung, void *context, const uint8_t *input,
                  uint8_t *output, size_t bytes) {
    it->rung = rung;
    it->context = context;
    it->input = input;
    it->output = output;
    it->bytes = bytes;
    pthread_barrier_wait(&it->meeting);
    piece(it, 0);
    pthread_barrier_wait(&it->meeting);
}
