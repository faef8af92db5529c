/* The provider under OpenSSL's own TLS and DTLS: what the files of this test share. */
#ifndef TLS_H
#define TLS_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

/* A suite, and the name under which libssl looks for its cipher. */
struct suite {
    const char *name, *cipher;
    int version;   /* TLS1_3_VERSION, TLS1_2_VERSION or DTLS1_2_VERSION */
    int etm;       /* whether the MAC of CBC is over the ciphertext: RFC 7366 */
};

extern const struct suite SUITES[];
extern const size_t SUITE_COUNT;

/* One end: a library context of its own, so that nothing of the other end's is seen. */
struct side {
    OSSL_LIB_CTX *library;
    int ours;
    EVP_PKEY *keys[2];     /* P-256 and SM2 */
    X509 *certificates[2];
};

struct side *side_open(const char *modules, int ours);
void side_close(struct side *side);
/* The provider that the side's libssl gets a cipher from. */
const char *side_takes(const struct side *side, const char *cipher);
/* A context for a suite; `trusted` is whose certificate it must be shown. */
SSL_CTX *side_context(const struct side *side, const struct suite *suite, int server,
                      const struct side *trusted);
int is_sm(const struct suite *suite);

/* Two ends with memory between them. What one wrote waits in `wire` until it is carried. */
struct pair {
    SSL *client, *server;
    SSL_CTX *contexts[2];
    int datagrams;
};

int pair_open(struct pair *pair, const struct side *client, const struct side *server,
              const struct suite *suite);
int pair_connect(struct pair *pair, SSL_SESSION *session);
/* Ends the connection and keeps the contexts; or both. */
void pair_hang_up(struct pair *pair);
void pair_close(struct pair *pair);
/* Everything that one end has written goes to the other, in pieces of any length. */
int carry(struct pair *pair, SSL *from, SSL *to);

/* Each check is said and counted; `fault` is why not, or NULL. */
void check(const char *what, const char *fault);
extern unsigned passed, failed;
/* What OpenSSL's queue says, which is then empty. */
const char *said(void);
void check_suite(const struct side *client, const struct side *server, const struct suite *suite,
                 int rounds);

uint64_t draw(void);
void draw_seed(uint64_t seed);
static inline size_t below(size_t limit) { return (size_t)(draw() % limit); }
void fill(unsigned char *bytes, size_t length);

/* Seconds of processor time, of both ends, that `mebibytes` take from a client to a server over TCP. */
double transfer(const struct side *client, const struct side *server, const struct suite *suite,
                int mebibytes, int ktls);

/* Prints what a record costs each provider's cipher; 0 if both made the same. */
int records(const struct side *theirs, const struct side *ours);

#endif
