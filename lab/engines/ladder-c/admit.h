/* Which tasks the engine takes. */
#ifndef LADDER_ADMIT_H
#define LADDER_ADMIT_H

#include "rung.h"
#include "task.h"

typedef enum verdict { ADMITTED, REFUSED, WRONG } verdict;

/* The rung of a task, or why it is refused. */
verdict admit(const task *task, const rung **out, char reason[MAX_REASON]);

#endif
