/* Threads that share the work of one call: each takes a piece of whole blocks. */
#ifndef LADDER_CREW_H
#define LADDER_CREW_H

#include <stdbool.h>

#include "rung.h"

typedef struct crew crew;

/* A crew of so many threads, the caller among them; null if the system has no more threads. */
crew *crew_hire(unsigned threads);

void crew_dismiss(crew *it);

/* Processes a message; returns when every piece is done. */
void crew_process(crew *it, const rung *rung, void *context, const uint8_t *input,
                  uint8_t *output, size_t bytes);

#endif
