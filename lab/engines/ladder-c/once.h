/* One message given on the command line, for published vectors. */
#ifndef LADDER_ONCE_H
#define LADDER_ONCE_H

/* `ALGORITHM OPERATION RUNG KEY IV INPUT`, the last three in hexadecimal, an IV that there is not
 * `-`: writes the output in hexadecimal. The exit status. */
int once(char *const arguments[6]);

#endif
