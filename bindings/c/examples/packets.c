/* 64 packets in one call, under 4 keys that are ready: the same bytes as one by one. */
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

enum { KEYS = 4, PACKETS = 64, MOST = 300 };

int main(void) {
    static uint8_t keys[KEYS][16], nonces[PACKETS][12], data[PACKETS][MOST], tags[PACKETS][16];
    static uint8_t expected[MOST], tag[16];
    const uint8_t *all[KEYS];
    static struct cipherlane_packet packets[PACKETS];
    for (int i = 0; i < KEYS; i++) {
        memset(keys[i], i + 1, sizeof keys[i]);
        all[i] = keys[i];
    }
    for (int i = 0; i < PACKETS; i++) {
        memset(nonces[i], i, sizeof nonces[i]);
        memset(data[i], i, sizeof data[i]);
        packets[i].key_index = (size_t)(i % KEYS);
        packets[i].iv = nonces[i];
        packets[i].iv_length = sizeof nonces[i];
        packets[i].input = packets[i].output = data[i];
        packets[i].length = (size_t)(i * 4 + 1);
        packets[i].tag = tags[i];
        packets[i].tag_length = sizeof tags[i];
    }
    struct cipherlane_batch *batch = NULL;
    int status = cipherlane_batch_new_ready(&batch, "sm4", "gcm-seal", NULL, all, 16, KEYS);
    must(status);
    const size_t lanes = cipherlane_batch_lanes(batch);
    status = cipherlane_batch_apply(batch, packets, PACKETS);
    must(status);
    cipherlane_batch_free(batch);
    for (int i = 0; i < PACKETS; i++) {
        struct cipherlane_aead *gcm = NULL;
        status = cipherlane_aead_new(&gcm, "sm4", "gcm", NULL, keys[i % KEYS], 16);
        must(status);
        memset(expected, i, sizeof expected);
        status = cipherlane_aead_seal(gcm, nonces[i], 12, NULL, 0, expected, expected,
                                      packets[i].length, tag, sizeof tag);
        must(status);
        assert(!packets[i].failed);
        assert(memcmp(expected, data[i], packets[i].length) == 0);
        assert(memcmp(tag, tags[i], sizeof tag) == 0);
        cipherlane_aead_free(gcm);
    }
    printf("packets: %d messages in one call, %zu at a time\n", PACKETS, lanes);
    return 0;
}
