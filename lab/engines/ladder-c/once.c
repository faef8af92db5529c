#include "once.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rung.h"

enum { MAX_BYTES = 4096 };

/* The bytes of a text; -1 if it is no hexadecimal or too long. */
static long unhex(const char *text, uint8_t out[MAX_BYTES]) {
    if (strcmp(text, "-") == 0)
        return 0;
    size_t digits = strlen(text);
    if (digits % 2 != 0 || digits / 2 > MAX_BYTES || strspn(text, "0123456789abcdef") != digits)
        return -1;
    for (size_t i = 0; i < digits / 2; i++) {
        const char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return (long)(digits / 2);
}

static int complain(const char *why) {
    fprintf(stderr, "error: %s\n", why);
    return 2;
}

int once(char *const arguments[6]) {
    static uint8_t key[MAX_BYTES], iv[MAX_BYTES], data[MAX_BYTES];
    const rung *it = find_rung(arguments[0], arguments[1], arguments[2]);
    if (it == NULL)
        return complain("there is no such rung");
    if (it->lacks != NULL && it->lacks() != NULL)
        return complain(it->lacks());
    long key_bytes = unhex(arguments[3], key), iv_bytes = unhex(arguments[4], iv);
    long bytes = unhex(arguments[5], data);
    if (key_bytes != (long)it->key_bytes || iv_bytes != (long)it->iv_bytes)
        return complain("key or IV has another length");
    if (bytes < 0 || (size_t)bytes % it->granule != 0)
        return complain("the input must be whole blocks of hexadecimal digits, at most 4096 bytes");
    void *context = NULL;
    if (posix_memalign(&context, 64, it->context_bytes) != 0)
        return complain("no memory");
    if (it->prepare != NULL)
        it->prepare();
    it->set_key(context, key);
    if (it->start != NULL)
        it->start(context, it->iv_bytes == 0 ? NULL : iv);
    it->process(context, data, data, (size_t)bytes);
    free(context);
    for (long i = 0; i < bytes; i++)
        printf("%02x", data[i]);
    putchar('\n');
    return 0;
}
