/* The interface of shim.h to GmSSL, for the engine `gmssl`: SM4 in ECB, CBC, CTR and GCM, which is
 * what its interface has of block ciphers. ECB is a block after the other, as it has no function for
 * more. Its CBC reads ciphertext after it has written there, so nothing is decrypted in place. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmssl/sm4.h>
#include <gmssl/version.h>

enum mode { ECB, CBC, CTR, GCM };

enum { BLOCK = SM4_BLOCK_SIZE };

struct operation {
    enum mode mode;
    int encrypts;
    /* Data came that was no multiple of a block: nothing may follow it. */
    int ended;
    SM4_KEY key;
    uint8_t iv[BLOCK];
};

uint32_t cipherlane_shim_interface(void) { return CIPHERLANE_SHIM_INTERFACE; }

int cipherlane_shim_version(char *text, size_t room) {
    static const char NAME[] = GMSSL_VERSION_STR;
    const char *number = strrchr(NAME, ' ');
    int wanted = snprintf(text, room, "%s", number != NULL ? number + 1 : NAME);
    return wanted > 0 && (size_t)wanted < room ? 0 : -1;
}

void *cipherlane_shim_new(const char *algorithm, const char *mode, int encrypts) {
    static const char *const MODES[] = {"ecb", "cbc", "ctr", "gcm"};
    for (size_t i = 0; strcmp(algorithm, "sm4") == 0 && i < sizeof MODES / sizeof *MODES; i++) {
        if (strcmp(mode, MODES[i]) == 0) {
            struct operation *it = calloc(1, sizeof *it);
            if (it != NULL) {
                it->mode = (enum mode)i;
                it->encrypts = encrypts;
            }
            return it;
        }
    }
    return NULL;
}

void cipherlane_shim_free(void *object) { free(object); }

int cipherlane_shim_provider(void *object, char *text, size_t room) {
    struct operation *it = object;
    int wanted = it->mode == CTR ? snprintf(text, room, "AES-NI and AVX") : 0;
    return wanted > 0 && (size_t)wanted < room ? 0 : -1;
}

int cipherlane_shim_iv(void *object, const uint8_t *iv, size_t iv_bytes) {
    struct operation *it = object;
    it->ended = 0;
    if (iv_bytes > BLOCK) {
        return -1;
    }
    memcpy(it->iv, iv, iv_bytes);
    return 0;
}

int cipherlane_shim_key(void *object, const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                        size_t iv_bytes) {
    struct operation *it = object;
    int reversed = !it->encrypts && (it->mode == ECB || it->mode == CBC);
    if (key_bytes != SM4_KEY_SIZE) {
        return -1;
    }
    (reversed ? sm4_set_decrypt_key : sm4_set_encrypt_key)(&it->key, key);
    return it->mode == GCM ? 0 : cipherlane_shim_iv(object, iv, iv_bytes);
}

int cipherlane_shim_data(void *object, const uint8_t *input, uint8_t *output, size_t bytes) {
    struct operation *it = object;
    uint8_t last[BLOCK];
    if (it->ended) {
        return -1;
    }
    if (bytes == 0) {
        return 0;
    }
    switch (it->mode) {
    case ECB:
        for (size_t i = 0; i < bytes; i += BLOCK) {
            sm4_encrypt(&it->key, input + i, output + i);
        }
        return 0;
    case CBC:
        if (it->encrypts) {
            sm4_cbc_encrypt(&it->key, it->iv, input, bytes / BLOCK, output);
            memcpy(it->iv, output + bytes - BLOCK, BLOCK);
            return 0;
        }
        if (input == output) {
            return -1;
        }
        memcpy(last, input + bytes - BLOCK, BLOCK);
        sm4_cbc_decrypt(&it->key, it->iv, input, bytes / BLOCK, output);
        memcpy(it->iv, last, BLOCK);
        return 0;
    case CTR:
        it->ended = bytes % BLOCK != 0;
        sm4_ctr_encrypt(&it->key, it->iv, input, bytes, output);
        return 0;
    default:
        return -1;
    }
}

int cipherlane_shim_message(void *object, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                            size_t aad_bytes, const uint8_t *input, uint8_t *output, size_t bytes,
                            uint8_t *tag, size_t tag_bytes) {
    struct operation *it = object;
    int done = it->encrypts ? sm4_gcm_encrypt(&it->key, iv, iv_bytes, aad, aad_bytes, input, bytes,
                                              output, tag_bytes, tag)
                            : sm4_gcm_decrypt(&it->key, iv, iv_bytes, aad, aad_bytes, input, bytes,
                                              tag, tag_bytes, output);
    return done == 1 ? 0 : -1;
}

int cipherlane_shim_mac(void *object, const uint8_t *input, size_t bytes, uint8_t *tag,
                        size_t tag_bytes) {
    (void)object, (void)input, (void)bytes, (void)tag, (void)tag_bytes;
    return -1;
}
