/* PDUs of PDCP (TS 38.323) in batches: COUNT of the hyper frame number and the sequence number,
   the tag over header and data (clause 5.9), then encryption of data and tag (clause 5.8). The
   header is that of a data radio bearer with sequence numbers of 18 bits (clause 6.2.2.3). */
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

enum { PDUS = 64, HEADER = 3, MOST = 1500, TAG = 4, SEQUENCE_BITS = 18 };

/* A pair of algorithms, e.g. 128-NEA2 and 128-NIA2. */
struct pair {
    const char *algorithm, *encryption, *integrity;
    size_t iv_length; /* of the integrity's */
};

static uint8_t pdus[PDUS][HEADER + MOST + TAG], ivs[PDUS][16], tags[PDUS][TAG];
static size_t lengths[PDUS]; /* of the data */
static struct cipherlane_packet packets[PDUS];

static const uint32_t FRAME_NUMBER = 5, FIRST = 0x3ffe0, BEARER = 3, DOWNLINK = 1;

/* The numbers go on where the sequence begins anew: the frame's number grows with it. */
static uint32_t count_of(int number) {
    return (FRAME_NUMBER << SEQUENCE_BITS) + FIRST + (uint32_t)number;
}

static void write_header(int number) {
    const uint32_t sequence = count_of(number) & ((1u << SEQUENCE_BITS) - 1);
    pdus[number][0] = (uint8_t)(0x80 | sequence >> 16); /* D/C: data */
    pdus[number][1] = (uint8_t)(sequence >> 8);
    pdus[number][2] = (uint8_t)sequence;
}

/* All packets through one operation, each with the IV of its COUNT. */
static void apply(const struct pair *pair, const char *operation, const uint8_t *key,
                  size_t iv_length) {
    for (int i = 0; i < PDUS; i++) {
        int status = cipherlane_3gpp_iv(operation, count_of(i), BEARER, DOWNLINK, 0, ivs[i],
                                        iv_length);
        must(status);
        packets[i].key = key;
        packets[i].key_length = 16;
        packets[i].iv = ivs[i];
        packets[i].iv_length = iv_length;
    }
    struct cipherlane_batch *batch = NULL;
    int status = cipherlane_batch_new(&batch, pair->algorithm, operation, NULL);
    must(status);
    status = cipherlane_batch_apply(batch, packets, PDUS);
    must(status);
    cipherlane_batch_free(batch);
}

/* Tags over headers and data, to `tags`. */
static void authenticate(const struct pair *pair, const uint8_t *key) {
    memset(packets, 0, sizeof packets);
    for (int i = 0; i < PDUS; i++) {
        packets[i].aad = pdus[i];
        packets[i].aad_length = HEADER + lengths[i];
        packets[i].tag = tags[i];
        packets[i].tag_length = TAG;
    }
    apply(pair, pair->integrity, key, pair->iv_length);
}

/* Data and tags, which lie behind them; encryption and decryption are the same. */
static void encrypt(const struct pair *pair, const uint8_t *key) {
    memset(packets, 0, sizeof packets);
    for (int i = 0; i < PDUS; i++) {
        packets[i].input = packets[i].output = pdus[i] + HEADER;
        packets[i].length = lengths[i] + TAG;
    }
    apply(pair, pair->encryption, key, 16);
}

/* How many PDUs have the tag that belongs to them. */
static int received(const struct pair *pair, const uint8_t *encryption_key,
                    const uint8_t *integrity_key) {
    int right = 0;
    encrypt(pair, encryption_key);
    authenticate(pair, integrity_key);
    for (int i = 0; i < PDUS; i++) {
        right += cipherlane_equal(tags[i], pdus[i] + HEADER + lengths[i], TAG) == 1;
    }
    return right;
}

int main(void) {
    static const struct pair pairs[] = {
        {"snow3g", "nea1", "nia1", 16},
        {"aes-128", "nea2", "nia2", 8},
        {"zuc-128", "eea3", "eia3", 16},
    };
    static const size_t sizes[] = {40, 576, 1500};
    uint8_t encryption_key[16], integrity_key[16];
    memset(encryption_key, 0x53, sizeof encryption_key);
    memset(integrity_key, 0xa7, sizeof integrity_key);
    for (size_t which = 0; which < sizeof pairs / sizeof pairs[0]; which++) {
        const struct pair *pair = &pairs[which];
        for (int i = 0; i < PDUS; i++) {
            lengths[i] = sizes[i % 3];
            write_header(i);
            memset(pdus[i] + HEADER, i, lengths[i]);
        }
        authenticate(pair, integrity_key);
        for (int i = 0; i < PDUS; i++) {
            memcpy(pdus[i] + HEADER + lengths[i], tags[i], TAG);
        }
        encrypt(pair, encryption_key);
        pdus[7][HEADER + 5] ^= 1; /* One is changed on its way. */
        const int right = received(pair, encryption_key, integrity_key);
        assert(right == PDUS - 1);
        for (int i = 0; i < PDUS; i++) {
            for (size_t byte = 0; byte < lengths[i]; byte++) {
                const uint8_t changed = i == 7 && byte == 5;
                assert(pdus[i][HEADER + byte] == ((uint8_t)i ^ changed));
            }
        }
        printf("pdcp: %s and %s, %d of %d PDUs are right\n", pair->encryption, pair->integrity,
               right, PDUS);
    }
    cipherlane_wipe(encryption_key, sizeof encryption_key);
    cipherlane_wipe(integrity_key, sizeof integrity_key);
    return 0;
}
