/* Lines of the laboratory's protocol: a word and key=value fields. */
#ifndef LADDER_LINE_H
#define LADDER_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_LINE = 1 << 20, MAX_FIELDS = 32, MAX_REASON = 400 };

typedef struct line {
    char *word;
    char *keys[MAX_FIELDS];
    char *values[MAX_FIELDS];
    int fields;
} line;

/* Reads a line in place, which keeps what it points to. On a fault false, with the reason. */
bool line_read(char *text, line *out, char reason[MAX_REASON]);

/* The value of a key; `usual` if it is not there. */
const char *line_text(const line *it, const char *key, const char *usual);

/* A number between two bounds; `usual` if it is not there. */
bool line_number(const line *it, const char *key, uint64_t usual, uint64_t least, uint64_t most,
                 uint64_t *out, char reason[MAX_REASON]);

/* Refuses keys that are not in the list, which ends with null. */
bool line_only(const line *it, const char *const *known, char reason[MAX_REASON]);

/* Writes ` key=value` with the bytes 0 to 32, % and 127 escaped. */
void line_field(FILE *out, const char *key, const char *value);

#endif
