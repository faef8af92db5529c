/* Answers requests. */
#ifndef LADDER_SERVER_H
#define LADDER_SERVER_H

#include <stdio.h>

/* Answers one line, which it changes, by one line. */
void server_answer(char *text, FILE *out);

#endif
