/* The engine ladder-c: ciphers written in C in several ways, one rung beside the other.
 *
 * It reads requests on its standard input and answers each with one line, by the protocol that
 * docs/METHOD.md of Cipherlane describes; or it processes the one message on its command line. */
#include <stdio.h>
#include <string.h>

#include "line.h"
#include "once.h"
#include "server.h"

int main(int count, char **arguments) {
    if (count == 7)
        return once(arguments + 1);
    if (count != 1) {
        fputs("error: no arguments, or ALGORITHM OPERATION RUNG KEY IV INPUT\n", stderr);
        return 2;
    }
    static char text[MAX_LINE + 2];
    while (fgets(text, sizeof text, stdin) != NULL) {
        if (strlen(text) > MAX_LINE) {
            int c = 0;
            while (strchr(text, '\n') == NULL && c != '\n' && c != EOF)
                c = getchar();
            fputs("error reason=the%20line%20is%20too%20long\n", stdout);
        } else {
            server_answer(text, stdout);
        }
        fflush(stdout);
    }
    return 0;
}
