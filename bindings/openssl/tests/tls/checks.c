/* What is tried of a suite between two ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls.h"

/* The most that a record holds: RFC 8446, 5.1. */
#define RECORD 16384

static unsigned char sent[1 << 20], got[1 << 20];

/* A length of every size: the ends of the range, around blocks and lanes, and anything. */
static size_t length_of_message(void) {
    static const size_t special[] = {1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1460, RECORD - 1, RECORD};
    switch (below(4)) {
    case 0: return special[below(sizeof special / sizeof *special)];
    case 1: return 1 + below(128);
    case 2: return 1 + below(2048);
    default: return 1 + below(RECORD);
    }
}

/* `total` bytes in records of any length, several of them under way at once. */
static const char *bulk(struct pair *pair, SSL *from, SSL *to, size_t total, int updates) {
    size_t written = 0, read = 0;
    fill(sent, total);
    if (!pair->datagrams) SSL_set_max_send_fragment(from, 512 + below(RECORD - 512 + 1));
    if (SSL_version(from) == TLS1_3_VERSION) SSL_set_block_padding(from, below(2) ? 0 : 64);
    while (read < total) {
        size_t length = length_of_message();
        if (length > total - written) length = total - written;
        if (length > 0) {
            if (SSL_write(from, sent + written, (int)length) != (int)length) return said();
            written += length;
        }
        if (updates && below(4) == 0) {
            const int kind = below(2) ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED;
            if (!SSL_key_update(from, kind) || SSL_do_handshake(from) != 1) return said();
        }
        if (written < total && below(3) == 0) continue;
        if (carry(pair, from, to) < 0) return "the memory between the ends is full";
        for (;;) {
            /* Both by as much as there is and by less than a record. */
            const size_t most = below(2) ? sizeof got - read : 1 + below(RECORD);
            const size_t room = pair->datagrams || most > sizeof got - read ? sizeof got - read : most;
            const int now = room == 0 ? 0 : SSL_read(to, got + read, (int)room);
            if (now <= 0) {
                if (room != 0 && SSL_get_error(to, now) != SSL_ERROR_WANT_READ) return said();
                break;
            }
            read += (size_t)now;
        }
        /* An answer to a key update, and tickets. */
        if (carry(pair, to, from) > 0) {
            unsigned char none;
            if (SSL_read(from, &none, 1) > 0) return "a byte that nobody sent";
        }
        if (written == total && read < total && BIO_pending(SSL_get_rbio(to)) == 0) {
            return "bytes are missing";
        }
    }
    return memcmp(sent, got, total) == 0 ? NULL : "other bytes than were sent";
}

/* Sends one record and takes it off the wire. */
static int one_record(SSL *from, unsigned char *record, size_t room) {
    size_t length = 1 + below(2000);
    fill(sent, length);
    if (SSL_write(from, sent, (int)length) != (int)length) return 0;
    const int taken = BIO_read(SSL_get_wbio(from), record, (int)room);
    return taken > 0 && BIO_pending(SSL_get_wbio(from)) == 0 ? taken : 0;
}

/* One changed bit of a record's content: a stream ends with the alert bad_record_mac, a datagram is
 * dropped and the next ones come. Where the MAC is over the ciphertext, OpenSSL 4.0 ends DTLS, too. */
static const char *tampered(struct pair *pair, const struct suite *suite, SSL *from, SSL *to) {
    unsigned char record[RECORD + 512];
    const size_t header = pair->datagrams ? DTLS1_RT_HEADER_LENGTH : SSL3_RT_HEADER_LENGTH;
    const int length = one_record(from, record, sizeof record);
    if (length <= (int)header) return "no record on the wire";
    const size_t at = header + below((size_t)length - header);
    record[at] ^= (unsigned char)(1U << below(8));
    if (BIO_write(SSL_get_rbio(to), record, length) != length) return "the wire is full";
    ERR_clear_error();
    int read = SSL_read(to, got, sizeof got);
    if (read > 0) return "a changed record was taken";
    const int why = SSL_get_error(to, read);
    if (pair->datagrams && why == SSL_ERROR_WANT_READ) return bulk(pair, from, to, 3000, 0);
    if (pair->datagrams && !suite->etm) return said();
    if (why != SSL_ERROR_SSL) return "a changed record was no error";
    ERR_clear_error();
    if (carry(pair, to, from) <= 0) return "a changed record brought no alert";
    read = SSL_read(from, got, sizeof got);
    if (read > 0 || SSL_get_error(from, read) != SSL_ERROR_SSL) return "the alert was no error";
    const int reason = ERR_GET_REASON(ERR_peek_error());
    ERR_clear_error();
    return reason == SSL_R_SSLV3_ALERT_BAD_RECORD_MAC ? NULL : "another alert than bad_record_mac";
}

/* Datagrams that are lost, come twice or in another order: each that comes is read once. */
static const char *unreliable(SSL *from, SSL *to) {
    enum { COUNT = 24, MOST = 1400 };
    static unsigned char wire[COUNT][MOST + 200];
    int lengths[COUNT], order[COUNT], seen[COUNT] = {0}, lost[COUNT];
    for (int i = 0; i < COUNT; i++) {
        unsigned char message[MOST];
        const size_t length = 2 + below(MOST - 2);
        fill(message, length);
        message[0] = (unsigned char)i;
        message[1] = (unsigned char)~i;
        if (SSL_write(from, message, (int)length) != (int)length) return said();
        lengths[i] = BIO_read(SSL_get_wbio(from), wire[i], sizeof wire[i]);
        if (lengths[i] <= 0) return "no datagram";
        order[i] = i;
        lost[i] = below(4) == 0;
    }
    for (int i = COUNT - 1; i > 0; i--) {
        const int j = (int)below((size_t)i + 1), held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
    for (int i = 0; i < COUNT; i++) {
        const int which = order[i];
        for (int times = lost[which] ? 0 : 1 + (int)below(2); times > 0; times--) {
            BIO_write(SSL_get_rbio(to), wire[which], lengths[which]);
        }
        int read;
        while ((read = SSL_read(to, got, sizeof got)) > 0) {
            if (read < 2 || got[0] >= COUNT || got[1] != (unsigned char)~got[0]) {
                return "other bytes than were sent";
            }
            seen[got[0]]++;
        }
        if (SSL_get_error(to, read) != SSL_ERROR_WANT_READ) return said();
    }
    for (int i = 0; i < COUNT; i++) {
        if (seen[i] != !lost[i]) return "a datagram is missing or was read twice";
    }
    return NULL;
}

/* The end of a connection, by the alert that says so. */
static const char *closed(struct pair *pair) {
    unsigned char none;
    if (SSL_shutdown(pair->client) < 0 || carry(pair, pair->client, pair->server) <= 0) {
        return said();
    }
    const int read = SSL_read(pair->server, &none, 1);
    if (SSL_get_error(pair->server, read) != SSL_ERROR_ZERO_RETURN) return "no close_notify";
    SSL_shutdown(pair->server);
    carry(pair, pair->server, pair->client);
    return SSL_shutdown(pair->client) == 1 ? NULL : said();
}

static const char *agreed(struct pair *pair, const struct suite *suite) {
    if (strcmp(SSL_get_cipher_name(pair->client), suite->name) != 0) return "another suite";
    if (SSL_version(pair->client) != suite->version) return "another version";
    if (SSL_get_verify_result(pair->client) != X509_V_OK) return "the certificate is not valid";
    return NULL;
}

/* A second connection by the session of the first, with tickets or without. */
static const char *resumed(struct pair *pair, const struct suite *suite) {
    const char *fault = bulk(pair, pair->server, pair->client, 1000, 0);
    if (fault == NULL) fault = closed(pair);
    SSL_SESSION *session = SSL_get1_session(pair->client);
    pair_hang_up(pair);
    if (fault == NULL && (session == NULL || !SSL_SESSION_is_resumable(session))) {
        fault = "no session to resume";
    }
    if (fault == NULL && !pair_connect(pair, session)) fault = said();
    if (fault == NULL && (!SSL_session_reused(pair->client) || !SSL_session_reused(pair->server))) {
        fault = "the session was not taken";
    }
    if (fault == NULL) fault = agreed(pair, suite);
    if (fault == NULL) fault = bulk(pair, pair->client, pair->server, 20000, 0);
    if (fault == NULL) fault = bulk(pair, pair->server, pair->client, 20000, 0);
    SSL_SESSION_free(session);
    return fault;
}

void check_suite(const struct side *client, const struct side *server, const struct suite *suite,
                 int rounds) {
    static const char *const owner[] = {"default", "cipherlane"};
    static char name[200];
    const char *const version = suite->version == TLS1_3_VERSION   ? "TLS 1.3"
                                : suite->version == TLS1_2_VERSION ? "TLS 1.2"
                                                                   : "DTLS 1.2";
    struct pair pair;
#define NAMED(what) \
    (snprintf(name, sizeof name, "%s %s%s, client %s, server %s: %s", version, suite->name, \
              suite->etm ? " (encrypt-then-MAC)" : "", owner[client->ours], owner[server->ours], \
              what), \
     name)
    const struct side *const ends[] = {client, server};
    for (int i = 0; i < 2; i++) {
        const char *from = side_takes(ends[i], suite->cipher);
        if (strcmp(from, owner[ends[i]->ours]) != 0) {
            check(NAMED("the cipher's provider"), from);
            return;
        }
    }
    const char *fault = NULL;
    if (!pair_open(&pair, client, server, suite) || !pair_connect(&pair, NULL)) fault = said();
    if (fault == NULL) fault = agreed(&pair, suite);
    check(NAMED("handshake"), fault);
    if (fault != NULL) {
        pair_close(&pair);
        return;
    }
    const size_t most = sizeof sent / 4;
    for (int direction = 0; direction < 2; direction++) {
        SSL *const from = direction ? pair.server : pair.client;
        SSL *const to = direction ? pair.client : pair.server;
        for (int i = 0; fault == NULL && i < rounds; i++) {
            fault = bulk(&pair, from, to, 1 + below(most), 0);
        }
        check(NAMED(direction ? "bytes to the client" : "bytes to the server"), fault);
    }
    if (suite->version == TLS1_3_VERSION) {
        for (int i = 0; fault == NULL && i < 2 * rounds; i++) {
            SSL *const from = i % 2 ? pair.server : pair.client;
            SSL *const to = i % 2 ? pair.client : pair.server;
            fault = bulk(&pair, from, to, most, 1);
        }
        check(NAMED("key updates"), fault);
    }
    if (pair.datagrams) {
        for (int i = 0; fault == NULL && i < 2 * rounds; i++) {
            fault = i % 2 ? unreliable(pair.server, pair.client)
                          : unreliable(pair.client, pair.server);
        }
        check(NAMED("lost, doubled and shuffled datagrams"), fault);
    }
    if (fault == NULL) check(NAMED("resumption"), fault = resumed(&pair, suite));
    if (fault == NULL && suite->version != TLS1_3_VERSION) {
        pair_hang_up(&pair);
        SSL_CTX_set_options(pair.contexts[1], SSL_OP_NO_TICKET);
        if (!pair_connect(&pair, NULL)) fault = said();
        check(NAMED("resumption without a ticket"),
              fault = fault == NULL ? resumed(&pair, suite) : fault);
    }
    for (int i = 0; fault == NULL && i < 4 * rounds; i++) {
        pair_hang_up(&pair);
        if (!pair_connect(&pair, NULL)) {
            fault = said();
        } else if (i % 2 != 0) {
            fault = tampered(&pair, suite, pair.server, pair.client);
        } else {
            fault = tampered(&pair, suite, pair.client, pair.server);
        }
    }
    check(NAMED("changed records are refused"), fault);
    pair_close(&pair);
}
