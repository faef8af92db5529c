/* What a transfer takes: a client and a server, each a process, over TCP on this machine. The time of
 * the processor is counted, of both, so that others who use the machine count less. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tls.h"

/* Seconds of processor time. */
static double used(const struct rusage *it) {
    return (double)(it->ru_utime.tv_sec + it->ru_stime.tv_sec) +
           (double)(it->ru_utime.tv_usec + it->ru_stime.tv_usec) * 1e-6;
}

static double now(void) {
    struct rusage it;
    getrusage(RUSAGE_SELF, &it);
    return used(&it);
}

/* Two ends of a connection over the loopback. */
static int sockets(int ends[2]) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int door = socket(AF_INET, SOCK_STREAM, 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (door < 0 || ends[0] < 0 || bind(door, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(door, 1) != 0 || getsockname(door, (struct sockaddr *)&address, &length) != 0 ||
        connect(ends[0], (struct sockaddr *)&address, sizeof address) != 0) {
        return 0;
    }
    ends[1] = accept(door, NULL, NULL);
    close(door);
    return ends[1] >= 0;
}

static SSL *over(SSL_CTX *context, int socket, int server, int ktls) {
    SSL *ssl = context == NULL ? NULL : SSL_new(context);
    if (ssl == NULL || !SSL_set_fd(ssl, socket)) return NULL;
    if (ktls) SSL_set_options(ssl, SSL_OP_ENABLE_KTLS);
    return (server ? SSL_accept(ssl) : SSL_connect(ssl)) == 1 ? ssl : NULL;
}

static unsigned char piece[16384];

/* The reading end: how much came. */
static int reader(const struct side *server, const struct suite *suite, int socket, int mebibytes,
                  int ktls) {
    SSL *ssl = over(side_context(server, suite, 1, NULL), socket, 1, ktls);
    if (ssl == NULL) return 1;
    uint64_t left = (uint64_t)mebibytes << 20;
    while (left > 0) {
        const int read = SSL_read(ssl, piece, sizeof piece);
        if (read <= 0) return 1;
        left -= (uint64_t)read;
    }
    /* The client ends when all has been read. */
    return SSL_write(ssl, "x", 1) == 1 ? 0 : 1;
}

double transfer(const struct side *client, const struct side *server, const struct suite *suite,
                int mebibytes, int ktls) {
    int ends[2];
    if (!sockets(ends)) return -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(reader(server, suite, ends[1], mebibytes, ktls));
    }
    close(ends[1]);
    SSL_CTX *context = side_context(client, suite, 0, server);
    SSL *ssl = over(context, ends[0], 0, ktls);
    double seconds = -1;
    if (ssl != NULL) {
        if (ktls && !BIO_get_ktls_send(SSL_get_wbio(ssl))) {
            fprintf(stderr, "this kernel or suite has no kTLS\n");
        } else {
            fill(piece, sizeof piece);
            const double begin = now();
            int sound = 1;
            for (int i = 0; sound && i < mebibytes * 64; i++) {
                sound = SSL_write(ssl, piece, sizeof piece) == sizeof piece;
            }
            if (sound && SSL_read(ssl, piece, 1) == 1) seconds = now() - begin;
        }
    } else {
        fprintf(stderr, "no connection: %s\n", said());
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
    close(ends[0]);
    int status = 1;
    struct rusage theirs;
    wait4(child, &status, 0, &theirs);
    return status == 0 && seconds >= 0 ? seconds + used(&theirs) : -1;
}
