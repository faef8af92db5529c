/* The interface of shim.h to wolfCrypt, for the engine `wolfssl`. Its structures depend on how it
 * is configured, so it is compiled together with this, by user_settings.h. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/arc4.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/rc2.h>

enum mode { ECB, CBC, CTR, CFB, CFB8, OFB, XTS, GCM, GMAC, CCM, CMAC_TAG };

enum cipher { AES, RC2, RC4 };

struct operation {
    enum cipher cipher;
    enum mode mode;
    int encrypts;
    word32 key_bytes;
    Aes aes;
    XtsAes xts;
    /* As it is before a message, and a copy that the message changes. */
    Cmac ready, cmac;
    Rc2 rc2;
    Arc4 rc4;
    byte tweak[16];
};

uint32_t cipherlane_shim_interface(void) { return CIPHERLANE_SHIM_INTERFACE; }

int cipherlane_shim_version(char *text, size_t room) {
    int wanted = snprintf(text, room, "%s", LIBWOLFSSL_VERSION_STRING);
    return wanted > 0 && (size_t)wanted < room ? 0 : -1;
}

static int find(struct operation *it, const char *algorithm, const char *mode) {
    static const char *const MODES[] = {"ecb", "cbc",  "ctr", "cfb", "cfb8", "ofb",
                                        "xts", "gcm", "gmac", "ccm", "cmac"};
    static const struct {
        const char *name;
        word32 key_bytes;
    } KEYS[] = {{"aes-128", 16}, {"aes-192", 24}, {"aes-256", 32}};
    size_t i;
    if (strcmp(algorithm, "rc4") == 0) {
        it->cipher = RC4;
        return strcmp(mode, "keystream") == 0;
    }
    for (i = 0; i < sizeof MODES / sizeof *MODES && strcmp(mode, MODES[i]) != 0; i++) {
    }
    it->mode = (enum mode)i;
    if (i == sizeof MODES / sizeof *MODES) {
        return 0;
    }
    if (strcmp(algorithm, "rc2") == 0) {
        it->cipher = RC2;
        return it->mode == ECB || it->mode == CBC;
    }
    for (i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        if (strcmp(algorithm, KEYS[i].name) == 0) {
            it->key_bytes = KEYS[i].key_bytes * (it->mode == XTS ? 2 : 1);
            return 1;
        }
    }
    return 0;
}

void *cipherlane_shim_new(const char *algorithm, const char *mode, int encrypts) {
    /* Round keys are read as vectors. */
    struct operation *it = NULL;
    size_t room = (sizeof *it + 63) / 64 * 64;
    void *place = aligned_alloc(64, room);
    if (place == NULL) {
        return NULL;
    }
    memset(place, 0, room);
    it = place;
    it->encrypts = encrypts;
    if (!find(it, algorithm, mode) || wc_AesInit(&it->aes, NULL, INVALID_DEVID) != 0 ||
        wc_AesXtsInit(&it->xts, NULL, INVALID_DEVID) != 0 ||
        wc_Arc4Init(&it->rc4, NULL, INVALID_DEVID) != 0) {
        free(place);
        return NULL;
    }
    return it;
}

void cipherlane_shim_free(void *object) {
    struct operation *it = object;
    wc_AesFree(&it->aes);
    wc_AesXtsFree(&it->xts);
    wc_Arc4Free(&it->rc4);
    free(it);
}

int cipherlane_shim_provider(void *object, char *text, size_t room) {
    (void)object, (void)text, (void)room;
    return -1;
}

int cipherlane_shim_key(void *object, const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                        size_t iv_bytes) {
    struct operation *it = object;
    word32 bytes = (word32)key_bytes;
    int one_way = it->mode != ECB && it->mode != CBC && it->mode != XTS;
    int direction = it->encrypts || one_way ? AES_ENCRYPTION : AES_DECRYPTION;
    if (it->cipher == RC4) {
        return wc_Arc4SetKey(&it->rc4, key, bytes) == 0 ? 0 : -1;
    }
    if (it->cipher == RC2) {
        return wc_Rc2SetKey(&it->rc2, key, bytes, iv_bytes == 0 ? NULL : iv, 8 * bytes) == 0 ? 0 : -1;
    }
    if (bytes != it->key_bytes) {
        return -1;
    }
    switch (it->mode) {
    case XTS:
        if (iv_bytes <= sizeof it->tweak) {
            memcpy(it->tweak, iv, iv_bytes);
        }
        return wc_AesXtsSetKeyNoInit(&it->xts, key, bytes, direction) == 0 ? 0 : -1;
    case GCM:
    case GMAC:
        return wc_AesGcmSetKey(&it->aes, key, bytes) == 0 ? 0 : -1;
    case CCM:
        return wc_AesCcmSetKey(&it->aes, key, bytes) == 0 ? 0 : -1;
    case CMAC_TAG:
        return wc_InitCmac(&it->ready, key, bytes, WC_CMAC_AES, NULL) == 0 ? 0 : -1;
    default:
        return wc_AesSetKey(&it->aes, key, bytes, iv_bytes == 0 ? NULL : iv, direction) == 0 ? 0 : -1;
    }
}

int cipherlane_shim_iv(void *object, const uint8_t *iv, size_t iv_bytes) {
    struct operation *it = object;
    if (it->cipher == RC2) {
        return wc_Rc2SetIV(&it->rc2, iv) == 0 ? 0 : -1;
    }
    if (iv_bytes != sizeof it->tweak) {
        return -1;
    }
    if (it->mode == XTS) {
        memcpy(it->tweak, iv, iv_bytes);
        return 0;
    }
    return wc_AesSetIV(&it->aes, iv) == 0 ? 0 : -1;
}

int cipherlane_shim_data(void *object, const uint8_t *input, uint8_t *output, size_t length) {
    struct operation *it = object;
    word32 bytes = (word32)length;
    int encrypts = it->encrypts;
    int done = -1;
    if (bytes != length) {
        return -1;
    }
    if (bytes == 0) {
        return 0;
    }
    if (it->cipher == RC4) {
        return wc_Arc4Process(&it->rc4, output, input, bytes) == 0 ? 0 : -1;
    }
    if (it->cipher == RC2) {
        if (it->mode == ECB) {
            /* It has this for one block alone. */
            done = 0;
            for (word32 i = 0; i < bytes && done == 0; i += RC2_BLOCK_SIZE) {
                done = (encrypts ? wc_Rc2EcbEncrypt : wc_Rc2EcbDecrypt)(
                    &it->rc2, output + i, input + i, RC2_BLOCK_SIZE);
            }
            return done == 0 ? 0 : -1;
        }
        done = (encrypts ? wc_Rc2CbcEncrypt : wc_Rc2CbcDecrypt)(&it->rc2, output, input, bytes);
        return done == 0 ? 0 : -1;
    }
    switch (it->mode) {
    case ECB:
        done = (encrypts ? wc_AesEcbEncrypt : wc_AesEcbDecrypt)(&it->aes, output, input, bytes);
        break;
    case CBC:
        done = (encrypts ? wc_AesCbcEncrypt : wc_AesCbcDecrypt)(&it->aes, output, input, bytes);
        break;
    case CTR:
        done = wc_AesCtrEncrypt(&it->aes, output, input, bytes);
        break;
    case CFB:
        done = (encrypts ? wc_AesCfbEncrypt : wc_AesCfbDecrypt)(&it->aes, output, input, bytes);
        break;
    case CFB8:
        done = (encrypts ? wc_AesCfb8Encrypt : wc_AesCfb8Decrypt)(&it->aes, output, input, bytes);
        break;
    case OFB:
        done = wc_AesOfbEncrypt(&it->aes, output, input, bytes);
        break;
    case XTS:
        done = (encrypts ? wc_AesXtsEncrypt : wc_AesXtsDecrypt)(&it->xts, output, input, bytes,
                                                                it->tweak, sizeof it->tweak);
        break;
    default:
        break;
    }
    return done == 0 ? 0 : -1;
}

int cipherlane_shim_message(void *object, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                            size_t aad_bytes, const uint8_t *input, uint8_t *output, size_t length,
                            uint8_t *tag, size_t tag_bytes) {
    struct operation *it = object;
    word32 bytes = (word32)length, nonce = (word32)iv_bytes, head = (word32)aad_bytes;
    word32 end = (word32)tag_bytes;
    int done = -1;
    if (bytes != length || head != aad_bytes) {
        return -1;
    }
    if (it->mode == GMAC) {
        done = wc_AesGcmEncrypt(&it->aes, NULL, NULL, 0, iv, nonce, tag, end, input, bytes);
    } else if (it->mode == GCM && it->encrypts) {
        done = wc_AesGcmEncrypt(&it->aes, output, input, bytes, iv, nonce, tag, end, aad, head);
    } else if (it->mode == GCM) {
        done = wc_AesGcmDecrypt(&it->aes, output, input, bytes, iv, nonce, tag, end, aad, head);
    } else if (it->mode == CCM && it->encrypts) {
        done = wc_AesCcmEncrypt(&it->aes, output, input, bytes, iv, nonce, tag, end, aad, head);
    } else if (it->mode == CCM) {
        done = wc_AesCcmDecrypt(&it->aes, output, input, bytes, iv, nonce, tag, end, aad, head);
    }
    return done == 0 ? 0 : -1;
}

int cipherlane_shim_mac(void *object, const uint8_t *input, size_t bytes, uint8_t *tag,
                        size_t tag_bytes) {
    struct operation *it = object;
    word32 end = (word32)tag_bytes;
    it->cmac = it->ready;
    if ((word32)bytes != bytes || wc_CmacUpdate(&it->cmac, input, (word32)bytes) != 0) {
        return -1;
    }
    return wc_CmacFinalNoFree(&it->cmac, tag, &end) == 0 && end == tag_bytes ? 0 : -1;
}
