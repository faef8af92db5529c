/* Holds a crypto_stream against a published keystream: check KEY NONCE KEYSTREAM, in hexadecimal. */
#include <stdio.h>
#include <string.h>

#include "crypto_stream.h"

enum { LONGEST = 300 };

static size_t bytes(const char *text, unsigned char *into) {
    size_t count = 0;
    unsigned byte;
    for (; count < LONGEST && sscanf(text, "%2x", &byte) == 1; text += 2) {
        into[count++] = (unsigned char)byte;
    }
    return count;
}

int main(int count, char **words) {
    unsigned char key[LONGEST] = {0}, nonce[LONGEST], expected[LONGEST];
    unsigned char whole[LONGEST], part[LONGEST], back[LONGEST];
    if (count != 4 || bytes(words[1], key) != crypto_stream_KEYBYTES ||
        bytes(words[2], nonce) != crypto_stream_NONCEBYTES) {
        fprintf(stderr, "usage: check KEY NONCE KEYSTREAM\n");
        return 2;
    }
    size_t known = bytes(words[3], expected);
    if (crypto_stream(whole, LONGEST, nonce, key) != 0 || memcmp(whole, expected, known) != 0) {
        fprintf(stderr, "another keystream than the published one\n");
        return 1;
    }
    for (size_t length = 0; length <= LONGEST; length++) {
        memset(part, 0, LONGEST);
        if (crypto_stream(part, length, nonce, key) != 0 || memcmp(part, whole, length) != 0 ||
            (length < LONGEST && part[length] != 0)) {
            fprintf(stderr, "%zu bytes are no beginning of more\n", length);
            return 1;
        }
        if (crypto_stream_xor(part, key, length < sizeof key ? length : sizeof key, nonce, key) != 0 ||
            crypto_stream_xor(back, part, length, nonce, key) != 0 || memcmp(back, key, length) != 0) {
            fprintf(stderr, "%zu bytes don't come back\n", length);
            return 1;
        }
    }
    printf("done\n");
    return 0;
}
