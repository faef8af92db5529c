/* What gprof is to count: the rung baseline on so many blocks, as the study ran it. Compiled with
 * -pg by itself, so that its functions are those of the study and no others. */
#include <stdio.h>
#include <stdlib.h>

#include "sm4_block.c"

int main(int count, char **arguments) {
    static const uint8_t key[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                    0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
    uint8_t block[SM4_BLOCK] = {0};
    sm4 context;
    long long blocks = count == 2 ? atoll(arguments[1]) : 0;
    if (blocks <= 0) {
        fputs("error: one argument, the number of blocks\n", stderr);
        return 2;
    }
    sm4_set_key(&context, key);
    for (long long i = 0; i < blocks; i++)
        sm4_block_baseline(&context, block, block);
    for (int i = 0; i < SM4_BLOCK; i++)
        printf("%02x", block[i]);
    putchar('\n');
    return 0;
}
