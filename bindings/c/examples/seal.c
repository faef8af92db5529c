/* SM4-GCM: a message sealed, opened, and sealed again in pieces. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cipherlane.h"

/* Ends the program where a call fails, e.g. as there is no memory. */
static void must(int status) {
    if (status != CIPHERLANE_OK) {
        fprintf(stderr, "%s\n", cipherlane_strerror(status));
        exit(1);
    }
}

int main(void) {
    const uint8_t key[16] = {1}, nonce[12] = {2};
    const char *text = "a message of any length";
    const size_t length = strlen(text);
    uint8_t sealed[64], opened[64], again[64], tag[16], tag_again[16];

    struct cipherlane_aead *gcm = NULL;
    int status = cipherlane_aead_new(&gcm, "sm4", "gcm", NULL, key, sizeof key);
    must(status);
    status = cipherlane_aead_seal(gcm, nonce, sizeof nonce, NULL, 0, (const uint8_t *)text, sealed,
                                  length, tag, sizeof tag);
    must(status);
    status = cipherlane_aead_open(gcm, nonce, sizeof nonce, NULL, 0, sealed, opened, length, tag,
                                  sizeof tag);
    must(status);
    assert(memcmp(opened, text, length) == 0);
    cipherlane_aead_free(gcm);

    struct cipherlane_aead_stream *stream = NULL;
    status = cipherlane_aead_stream_new(&stream, "sm4", "gcm-seal", NULL, key, sizeof key, nonce,
                                        sizeof nonce);
    must(status);
    for (size_t at = 0; at < length; at += 5) {
        const size_t piece = length - at < 5 ? length - at : 5;
        status = cipherlane_aead_stream_update(stream, (const uint8_t *)text + at, again + at,
                                               piece);
        must(status);
    }
    status = cipherlane_aead_stream_final(stream, tag_again, sizeof tag_again);
    must(status);
    assert(memcmp(again, sealed, length) == 0 && memcmp(tag, tag_again, sizeof tag) == 0);
    cipherlane_aead_stream_free(stream);
    printf("seal: sealed, opened, sealed in pieces, at level %s\n", cipherlane_level());
    return 0;
}
