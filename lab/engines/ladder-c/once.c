/* The rungs on a machine that is emulated, where the engine can't open them: a program that does
 * what lines of its standard input ask, and answers each with a line, `ok …` or `no REASON`. Bytes
 * are hexadecimal, none are `-`.
 *
 *   about                            version, compiler and flags
 *   rungs                            algorithm, operation, name, lengths of key, IV and block,
 *                                    whether it has a latency, and the length of a tag, of every
 *                                    rung, parted by colons
 *   ALGORITHM OPERATION RUNG PLACEMENT KEY IV INPUT
 *                                    begins a message: its output, of a MAC its tag
 *   more INPUT                       goes on with it: the output
 *   time STEPS CALLS SAMPLES         nanoseconds of each sample of so many calls on the last input;
 *                                    steps of a call are k for the key schedule, s for the start
 *                                    of a message, p for its work */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rung.h"

enum { WORDS = 7, MAX_KEY = 256, LINE = 64 };

/* The message there is. */
static const rung *it;
static uint8_t *context, *input, *output, key[MAX_KEY], iv[MAX_KEY], tag[MAX_KEY];
static size_t bytes;
static bool in_place;

static void *aligned(void *old, size_t size) {
    void *memory = NULL;
    free(old);
    if (posix_memalign(&memory, LINE, size + LINE) != 0)
        abort();
    return memory;
}

static uint8_t digit(char c) { return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

/* The bytes of a text, over the text; -1 if it is no hexadecimal. */
static long unhex(char *text) {
    size_t digits = strcmp(text, "-") == 0 ? 0 : strlen(text);
    if (digits % 2 != 0 || strspn(text, "0123456789abcdef") < digits)
        return -1;
    for (size_t i = 0; i < digits; i += 2)
        text[i / 2] = (char)(digit(text[i]) << 4 | digit(text[i + 1]));
    return (long)(digits / 2);
}

static bool take(char *text, uint8_t *to, size_t wanted) {
    bool right = wanted <= MAX_KEY && unhex(text) == (long)wanted;
    if (right)
        memcpy(to, text, wanted);
    return right;
}

static void start(void) {
    if (it->start != NULL)
        it->start(context, it->iv_bytes == 0 ? NULL : iv);
}

static void process(void) {
    it->process(context, input, in_place ? input : output, bytes);
    if (it->tag != NULL)
        it->tag(context, tag);
}

static const char *more(char *text) {
    long given = it == NULL ? -1 : unhex(text);
    if (given < 0 || (size_t)given % it->granule != 0)
        return "the input must be whole blocks of a message in hexadecimal";
    bytes = (size_t)given;
    input = aligned(input, bytes);
    output = aligned(output, bytes);
    memcpy(input, text, bytes);
    process();
    const uint8_t *made = it->tag != NULL ? tag : in_place ? input : output;
    size_t length = it->tag != NULL ? it->tag_bytes : bytes;
    printf("ok ");
    for (size_t i = 0; i < length; i++)
        printf("%02x", made[i]);
    return NULL;
}

static const char *begin(char *words[WORDS]) {
    it = find_rung(words[0], words[1], words[2]);
    if (it == NULL)
        return "there is no such rung";
    if (it->lacks != NULL && it->lacks() != NULL)
        return it->lacks();
    if (!take(words[4], key, it->key_bytes) || !take(words[5], iv, it->iv_bytes))
        return "key or IV has another length";
    in_place = strcmp(words[3], "in-place") == 0;
    context = aligned(context, it->context_bytes);
    if (it->prepare != NULL)
        it->prepare();
    it->set_key(context, key);
    start();
    return more(words[6]);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static const char *measure(const char *steps, uint64_t calls, uint64_t samples) {
    if (it == NULL)
        return "there is no message";
    bool keys = strchr(steps, 'k') != NULL, starts = strchr(steps, 's') != NULL;
    bool works = strchr(steps, 'p') != NULL;
    printf("ok");
    while (samples-- > 0) {
        uint64_t begin = now();
        for (uint64_t i = 0; i < calls; i++) {
            if (keys)
                it->set_key(context, key);
            if (starts)
                start();
            if (works)
                process();
        }
        printf(" %" PRIu64, now() - begin);
    }
    return NULL;
}

static const char *list(void) {
    const rung *each;
    printf("ok");
    for (size_t i = 0; (each = rung_at(i)) != NULL; i++)
        printf(" %s:%s:%s:%zu:%zu:%zu:%d:%zu", each->algorithm, each->operation, each->name,
               each->key_bytes, each->iv_bytes, each->granule, each->latency, each->tag_bytes);
    return NULL;
}

static const char *answer(char *words[WORDS], int count) {
    if (count == 1 && strcmp(words[0], "about") == 0) {
        printf("ok %s %s", ladder_version(), ladder_build());
        return NULL;
    }
    if (count == 1 && strcmp(words[0], "rungs") == 0)
        return list();
    if (count == 2 && strcmp(words[0], "more") == 0)
        return more(words[1]);
    if (count == 4 && strcmp(words[0], "time") == 0)
        return measure(words[1], strtoull(words[2], NULL, 10), strtoull(words[3], NULL, 10));
    return count == WORDS ? begin(words) : "the line is none of those known";
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *words[WORDS];
        int count = 0;
        for (char *word = strtok(line, " \n"); word != NULL && count < WORDS;
             word = strtok(NULL, " \n"))
            words[count++] = word;
        const char *reason = answer(words, count);
        if (reason != NULL)
            printf("no %s", reason);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
