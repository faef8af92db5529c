/* 3GPP: EEA3 and EIA3 on packets of TS 35.223, whose IVs are made of COUNT, BEARER and DIRECTION. */
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

static void unhex(uint8_t *bytes, const char *digits) {
    for (; digits[0] != 0; digits += 2, bytes++) {
        unsigned value = 0;
        const int read = sscanf(digits, "%2x", &value);
        assert(read == 1);
        *bytes = (uint8_t)value;
    }
}

/* The message in bits under the key, its tag against the standard's. */
static void eia3(const char *digits_of_key, uint32_t count, uint32_t bearer, uint32_t direction,
                 const uint8_t *message, uint64_t bits, const char *digits_of_tag) {
    uint8_t key[16], iv[16], tag[4], expected[4];
    unhex(key, digits_of_key);
    unhex(expected, digits_of_tag);
    int status = cipherlane_3gpp_iv("eia3", count, bearer, direction, 0, iv, sizeof iv);
    must(status);
    struct cipherlane_mac *mac = NULL;
    status = cipherlane_mac_new(&mac, "zuc-128", "eia3", NULL, key, sizeof key, iv, sizeof iv, 0);
    must(status);
    status = cipherlane_mac_update_bits(mac, message, (size_t)((bits + 7) / 8), bits);
    must(status);
    status = cipherlane_mac_final(mac, tag, sizeof tag);
    must(status);
    assert(cipherlane_equal(tag, expected, sizeof tag));
    cipherlane_mac_free(mac);
}

int main(void) {
    /* EEA3, test set 1: 193 bits. */
    uint8_t key[16], iv[16], packet[25], expected[25];
    size_t written = 0;
    unhex(key, "173d14ba5003731d7a60049470f00a29");
    unhex(packet, "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200");
    unhex(expected, "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800");
    int status = cipherlane_3gpp_iv("eea3", 0x66035492, 15, 0, 0, iv, sizeof iv);
    must(status);
    status = cipherlane_cipher_once("zuc-128", "eea3", NULL, key, sizeof key, iv, sizeof iv, packet,
                                    sizeof packet, packet, sizeof packet, &written);
    must(status);
    assert(written == sizeof packet);
    packet[24] &= 0x80; /* Of the last byte one bit is the message's. */
    assert(memcmp(packet, expected, sizeof packet) == 0);

    /* EIA3, test sets 1 and 3: 1 bit and 577 bits. */
    uint8_t message[76];
    memset(message, 0, sizeof message);
    eia3("00000000000000000000000000000000", 0, 0, 0, message, 1, "c8a9595e");
    unhex(message, "983b41d47d780c9e1ad11d7eb70391b1de0b35da2dc62f83e7b78d6306ca0ea07e941b7be91348f9"
                   "fcb170e2217fecd97f9f68adb16e5d7d21e569d280ed775cebde3f4093c53881");
    eia3("c9e6cec4607c72db000aefa88385ab0a", 0xa94059da, 10, 1, message, 577, "fae8ff0b");
    cipherlane_wipe(key, sizeof key);
    printf("air: EEA3 and EIA3 as TS 35.223 has them\n");
    return 0;
}
