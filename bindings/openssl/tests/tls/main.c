/* tls FOLDER-OF-THE-PROVIDER SEED ROUNDS: every suite between every two ends, of which at least one
 * is ours; `N passed, N failed` at the end. tls FOLDER time MEBIBYTES [ktls]: how long so much takes.
 * tls FOLDER time records: how long a record takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls.h"

unsigned passed, failed;
static uint64_t state;

uint64_t draw(void) {
    /* SplitMix64: nothing here is a secret, and a seed makes the same run again. */
    uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

void draw_seed(uint64_t seed) { state = seed; }

void fill(unsigned char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        static uint64_t word;
        if (i % 8 == 0) word = draw();
        bytes[i] = (unsigned char)(word >> i % 8 * 8);
    }
}

const char *said(void) {
    static char text[256];
    const unsigned long code = ERR_peek_last_error();
    if (code == 0) return "libssl refuses and its queue is empty";
    ERR_error_string_n(code, text, sizeof text);
    ERR_clear_error();
    return text;
}

void check(const char *what, const char *fault) {
    if (fault == NULL) {
        passed++;
    } else {
        failed++;
        printf("FAILED  %s: %s\n", what, fault);
    }
}

/* One line a suite: MB a second of processor time, of both ends together, by default, with ours at the client, at the server and at both. */
static int times(const struct side *theirs, const struct side *ours, int most, int ktls) {
    static const char *const wanted[] = {"TLS_SM4_GCM_SM3",        "TLS_SM4_CCM_SM3",
                                         "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
                                         "TLS_AES_128_CCM_SHA256", "ECDHE-ECDSA-AES128-SHA256"};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        const struct suite *suite = SUITES;
        while (strcmp(suite->name, wanted[w]) != 0) suite++;
        /* The default provider would need minutes for all of it. */
        const int ccm = strcmp(suite->cipher, "SM4-CCM") == 0;
        const int mebibytes = ccm ? most / 8 : is_sm(suite) ? most / 4 : most;
        printf("%s", suite->name);
        for (int way = 0; way < 4; way++) {
            const struct side *client = way & 1 ? ours : theirs, *server = way & 2 ? ours : theirs;
            const double seconds = transfer(client, server, suite, mebibytes, ktls);
            if (seconds < 0) return 1;
            printf("\t%.0f", mebibytes * 1048576.0 / seconds / 1e6);
            fflush(stdout);
        }
        printf("\n");
    }
    return 0;
}

int main(int count, char **words) {
    if (count < 4) {
        fprintf(stderr, "usage: tls FOLDER SEED ROUNDS | tls FOLDER time MEBIBYTES [ktls] | time records\n");
        return 2;
    }
    struct side *theirs = side_open(words[1], 0), *ours = side_open(words[1], 1);
    if (theirs == NULL || ours == NULL) {
        fprintf(stderr, "an end can't be made: %s\n", said());
        return 1;
    }
    if (strcmp(words[2], "time") == 0 && strcmp(words[3], "records") == 0) {
        return records(theirs, ours);
    }
    if (strcmp(words[2], "time") == 0) {
        return times(theirs, ours, atoi(words[3]), count > 4);
    }
    const uint64_t seed = strtoull(words[2], NULL, 10);
    draw_seed(seed);
    /* The control first: a test that the default provider fails says nothing of ours. */
    for (size_t i = 0; i < SUITE_COUNT; i++) check_suite(theirs, theirs, &SUITES[i], 1);
    if (failed != 0) {
        printf("the default provider alone fails: nothing of ours was tried\n");
        return 1;
    }
    printf("control: %u pass between two ends of the default provider\n", passed);
    passed = 0;
    for (int way = 1; way < 4; way++) {
        const struct side *client = way & 1 ? ours : theirs, *server = way & 2 ? ours : theirs;
        const unsigned before = passed, broken = failed;
        for (size_t i = 0; i < SUITE_COUNT; i++) check_suite(client, server, &SUITES[i], atoi(words[3]));
        printf("client %s, server %s: %zu suites, %u pass, %u fail\n",
               client->ours ? "cipherlane" : "default", server->ours ? "cipherlane" : "default",
               SUITE_COUNT, passed - before, failed - broken);
    }
    side_close(theirs);
    side_close(ours);
    printf("seed %llu: %u passed, %u failed\n", (unsigned long long)seed, passed, failed);
    return failed == 0 ? 0 : 1;
}
