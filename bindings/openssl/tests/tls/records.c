/* What a record of TLS 1.3 costs its cipher: libssl's calls on it, without handshakes, sockets and copies,
 * which in a transfer take more than the cipher does. Sealed and opened where it lies, the providers in
 * turn, the least of many rounds. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include "tls.h"

enum { TAG = 16, ROUNDS = 40 };
/* Shortest first: a line of a terminal, a packet's worth, and the longest (RFC 8446, 5.1). */
static const int LENGTHS[] = {100, 1370, 16384};

/* Room for the data and the byte behind them that says what they are (RFC 8446, 5.2). */
static unsigned char data[16384 + 1];

/* The two ends' objects of one provider. */
struct ends {
    EVP_CIPHER_CTX *seal, *open;
};

static int ends_open(struct ends *ends, const struct side *side, const char *name) {
    static const unsigned char key[32] = {1, 2, 3}, nonce[12];
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(side->library, name, NULL);
    ends->seal = EVP_CIPHER_CTX_new();
    ends->open = EVP_CIPHER_CTX_new();
    const int done = cipher != NULL && ends->seal != NULL && ends->open != NULL &&
                     EVP_CipherInit_ex(ends->seal, cipher, NULL, key, nonce, 1) &&
                     EVP_CipherInit_ex(ends->open, cipher, NULL, key, nonce, 0);
    EVP_CIPHER_free(cipher);
    return done;
}

static void ends_close(struct ends *ends) {
    EVP_CIPHER_CTX_free(ends->seal);
    EVP_CIPHER_CTX_free(ends->open);
}

/* One way of a record, as libssl calls it. */
static int pass(EVP_CIPHER_CTX *context, int seal, const unsigned char nonce[12], int length,
                unsigned char tag[TAG]) {
    const int body = length + 1 + TAG;
    const unsigned char header[5] = {23, 3, 3, (unsigned char)(body >> 8), (unsigned char)body};
    int done, rest;
    return EVP_CipherInit_ex(context, NULL, NULL, NULL, nonce, seal) > 0 &&
           (seal || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, tag) > 0) &&
           EVP_CipherUpdate(context, NULL, &done, header, sizeof header) > 0 &&
           EVP_CipherUpdate(context, data, &done, data, length + 1) > 0 &&
           EVP_CipherFinal_ex(context, data + done, &rest) > 0 &&
           (!seal || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, tag) > 0);
}

/* Seconds that so many records take there and back; none if one is not opened. */
static double spent(struct ends *ends, int count, int length, unsigned char tag[TAG]) {
    unsigned char nonce[12] = {0};
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int i = 0; i < count; i++) {
        nonce[10] = (unsigned char)(i >> 8);
        nonce[11] = (unsigned char)i;
        if (!pass(ends->seal, 1, nonce, length, tag) || !pass(ends->open, 0, nonce, length, tag)) {
            return -1;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

/* A line: cipher, bytes, nanoseconds by default and by ours; 0 if the two differ in a tag. */
static int line(struct ends ends[2], const char *name, int length) {
    unsigned char tags[2][TAG];
    double least[2] = {1, 1};
    fill(data, sizeof data);
    /* Enough for the clock, by the slower one. */
    int count = 1;
    while (count < 1 << 15 && spent(&ends[0], count, length, tags[0]) < 1e-3) count *= 2;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        const int which = round & 1;
        const double seconds = spent(&ends[which], count, length, tags[which]);
        if (seconds < 0) return 0;
        if (seconds < least[which]) least[which] = seconds;
    }
    if (memcmp(tags[0], tags[1], TAG) != 0) return 0;
    printf("%s\t%d\t%.0f\t%.0f\n", name, length, least[0] / count * 1e9, least[1] / count * 1e9);
    fflush(stdout);
    return 1;
}

int records(const struct side *theirs, const struct side *ours) {
    static const char *const ciphers[] = {"SM4-GCM", "AES-128-GCM", "AES-256-GCM"};
    for (size_t c = 0; c < sizeof ciphers / sizeof *ciphers; c++) {
        struct ends ends[2];
        int sound = strcmp(side_takes(ours, ciphers[c]), "cipherlane") == 0;
        sound &= ends_open(&ends[0], theirs, ciphers[c]);
        sound &= ends_open(&ends[1], ours, ciphers[c]);
        for (size_t i = 0; sound && i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
            sound = line(ends, ciphers[c], LENGTHS[i]);
        }
        ends_close(&ends[0]);
        ends_close(&ends[1]);
        if (!sound) {
            fprintf(stderr, "records of %s: %s\n", ciphers[c], said());
            return 1;
        }
    }
    return 0;
}
