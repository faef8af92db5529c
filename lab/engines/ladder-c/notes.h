/* What comparing the machine code of the rungs has shown. */
#ifndef LADDER_NOTES_H
#define LADDER_NOTES_H

#include "rung.h"

/* That the compiler made the same code of this rung as of another; null if it did not. */
const char *notes_of(const rung *rung);

#endif
