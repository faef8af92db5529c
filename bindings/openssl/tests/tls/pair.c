/* Two ends in one process, with memory between them that the test can see and change. */
#include <string.h>

#include "tls.h"

int pair_open(struct pair *pair, const struct side *client, const struct side *server,
              const struct suite *suite) {
    memset(pair, 0, sizeof *pair);
    pair->datagrams = suite->version == DTLS1_2_VERSION;
    pair->contexts[0] = side_context(client, suite, 0, server);
    pair->contexts[1] = side_context(server, suite, 1, NULL);
    return pair->contexts[0] != NULL && pair->contexts[1] != NULL;
}

static SSL *end(SSL_CTX *context, int datagrams) {
    const BIO_METHOD *method = datagrams ? BIO_s_dgram_mem() : BIO_s_mem();
    SSL *ssl = SSL_new(context);
    BIO *in = BIO_new(method), *out = BIO_new(method);
    if (ssl == NULL || in == NULL || out == NULL) return NULL;
    BIO_set_mem_eof_return(in, -1);
    SSL_set_bio(ssl, in, out);
    if (datagrams) SSL_set_mtu(ssl, 1400);
    return ssl;
}

int carry(struct pair *pair, SSL *from, SSL *to) {
    unsigned char piece[17000];
    BIO *out = SSL_get_wbio(from), *in = SSL_get_rbio(to);
    int carried = 0;
    for (;;) {
        /* A datagram stays whole; a stream comes in any pieces. */
        const size_t most = pair->datagrams ? sizeof piece : 1 + below(sizeof piece);
        const int length = BIO_read(out, piece, (int)most);
        if (length <= 0) return carried;
        if (BIO_write(in, piece, length) != length) return -1;
        carried += length;
    }
}

int pair_connect(struct pair *pair, SSL_SESSION *session) {
    pair->client = end(pair->contexts[0], pair->datagrams);
    pair->server = end(pair->contexts[1], pair->datagrams);
    if (pair->client == NULL || pair->server == NULL) return 0;
    SSL_set_connect_state(pair->client);
    SSL_set_accept_state(pair->server);
    if (session != NULL && !SSL_set_session(pair->client, session)) return 0;
    for (int turn = 0; turn < 64; turn++) {
        SSL *const ends[] = {pair->client, pair->server};
        int ready = 0;
        for (int i = 0; i < 2; i++) {
            const int result = SSL_do_handshake(ends[i]);
            if (result == 1) {
                ready++;
            } else if (SSL_get_error(ends[i], result) != SSL_ERROR_WANT_READ) {
                return 0;
            }
            if (carry(pair, ends[i], ends[1 - i]) < 0) return 0;
        }
        if (ready == 2) return 1;
    }
    return 0;
}

void pair_hang_up(struct pair *pair) {
    SSL_free(pair->client);
    SSL_free(pair->server);
    pair->client = pair->server = NULL;
}

void pair_close(struct pair *pair) {
    pair_hang_up(pair);
    SSL_CTX_free(pair->contexts[0]);
    SSL_CTX_free(pair->contexts[1]);
}
