/* The interface of shim.h to Nettle, for the engine `nettle`. Its own functions are C's, but their
 * structures are another in every version, so they are compiled here against its headers.
 *
 * A block cipher is called as its own list (nettle-meta.h) has it: by a function for whole blocks,
 * which the modes call; AES in CBC has functions of its own, which are called. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/aes.h>
#include <nettle/arcfour.h>
#include <nettle/arctwo.h>
#include <nettle/cbc.h>
#include <nettle/ccm.h>
#include <nettle/cfb.h>
#include <nettle/cmac.h>
#include <nettle/ctr.h>
#include <nettle/gcm.h>
#include <nettle/memops.h>
#include <nettle/nettle-meta.h>
#include <nettle/salsa20.h>
#include <nettle/siv-gcm.h>
#include <nettle/sm4.h>
#include <nettle/version.h>
#include <nettle/xts.h>

enum mode { ECB, CBC, CTR, CFB, CFB8, XTS, GCM, GMAC, CCM, GCM_SIV, CMAC, RC4, SALSA12, SALSA20 };

/* A key of any cipher. */
union keys {
    struct aes128_ctx aes128;
    struct aes192_ctx aes192;
    struct aes256_ctx aes256;
    struct sm4_ctx sm4;
    struct arctwo_ctx rc2;
};

typedef void cbc_function(const void *key, uint8_t *iv, size_t bytes, uint8_t *output,
                          const uint8_t *input);

struct operation {
    enum mode mode;
    int encrypts;
    /* Whether the key's second direction is what processes data. */
    int reversed;
    const struct nettle_cipher *cipher;
    /* AES's own function for CBC. */
    cbc_function *cbc;
    /* Data came that was no multiple of a block: nothing may follow it. */
    int ended;
    union keys key;
    /* XTS's second key. */
    union keys tweak;
    uint8_t iv[16];
    struct gcm_key hash;
    struct cmac128_key subkeys;
    struct cmac64_key short_subkeys;
    struct arcfour_ctx rc4;
    struct salsa20_ctx salsa;
};

/* RC2 with as many effective bits as its key has, which Nettle's list doesn't have. */
static void rc2_key(void *key, const uint8_t *bytes) { arctwo_set_key(key, 16, bytes); }

static const struct nettle_cipher RC2 = {
    "rc2", sizeof(struct arctwo_ctx), ARCTWO_BLOCK_SIZE, 16, rc2_key, rc2_key,
    (nettle_cipher_func *)arctwo_encrypt, (nettle_cipher_func *)arctwo_decrypt,
};

static const struct {
    const char *name;
    const struct nettle_cipher *cipher;
    cbc_function *cbc;
} CIPHERS[] = {
    {"sm4", &nettle_sm4, NULL},
    {"aes-128", &nettle_aes128, (cbc_function *)cbc_aes128_encrypt},
    {"aes-192", &nettle_aes192, (cbc_function *)cbc_aes192_encrypt},
    {"aes-256", &nettle_aes256, (cbc_function *)cbc_aes256_encrypt},
    {"rc2", &RC2, NULL},
};

static const struct {
    const char *name;
    enum mode mode;
    /* Whether it wants blocks of 16 bytes. */
    int wide;
} MODES[] = {
    {"ecb", ECB, 0},   {"cbc", CBC, 0},   {"ctr", CTR, 0}, {"cfb", CFB, 0}, {"cfb8", CFB8, 0},
    {"cmac", CMAC, 0}, {"xts", XTS, 1},   {"gcm", GCM, 1}, {"gmac", GMAC, 1}, {"ccm", CCM, 1},
    {"gcm-siv", GCM_SIV, 1},
};

uint32_t cipherlane_shim_interface(void) { return CIPHERLANE_SHIM_INTERFACE; }

int cipherlane_shim_version(char *text, size_t room) {
    /* The bug-fix number is in no macro of 3.10; the recipe tells it. */
    int wanted = snprintf(text, room, "%s", CIPHERLANE_NETTLE_VERSION);
    int same = nettle_version_major() == NETTLE_VERSION_MAJOR &&
               nettle_version_minor() == NETTLE_VERSION_MINOR;
    return same && wanted > 0 && (size_t)wanted < room ? 0 : -1;
}

static int find(struct operation *it, const char *algorithm, const char *mode) {
    if (strcmp(mode, "keystream") == 0) {
        static const struct {
            const char *name;
            enum mode mode;
        } STREAMS[] = {{"rc4", RC4}, {"salsa20-12", SALSA12}, {"salsa20-20", SALSA20}};
        for (size_t i = 0; i < sizeof STREAMS / sizeof *STREAMS; i++) {
            if (strcmp(algorithm, STREAMS[i].name) == 0) {
                it->mode = STREAMS[i].mode;
                return 1;
            }
        }
        return 0;
    }
    for (size_t i = 0; i < sizeof CIPHERS / sizeof *CIPHERS; i++) {
        if (strcmp(algorithm, CIPHERS[i].name) == 0) {
            it->cipher = CIPHERS[i].cipher;
            it->cbc = CIPHERS[i].cbc;
        }
    }
    for (size_t i = 0; it->cipher != NULL && i < sizeof MODES / sizeof *MODES; i++) {
        if (strcmp(mode, MODES[i].name) == 0) {
            it->mode = MODES[i].mode;
            return !MODES[i].wide || it->cipher->block_size == 16;
        }
    }
    return 0;
}

void *cipherlane_shim_new(const char *algorithm, const char *mode, int encrypts) {
    struct operation *it = calloc(1, sizeof *it);
    if (it == NULL || !find(it, algorithm, mode)) {
        free(it);
        return NULL;
    }
    it->encrypts = encrypts;
    it->reversed = !encrypts && (it->mode == ECB || it->mode == CBC || it->mode == XTS);
    return it;
}

void cipherlane_shim_free(void *object) { free(object); }

int cipherlane_shim_provider(void *object, char *text, size_t room) {
    (void)object, (void)text, (void)room;
    return -1;
}

int cipherlane_shim_key(void *object, const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                        size_t iv_bytes) {
    struct operation *it = object;
    it->ended = 0;
    switch (it->mode) {
    case RC4:
        arcfour_set_key(&it->rc4, key_bytes, key);
        return 0;
    case SALSA12:
    case SALSA20:
        salsa20_set_key(&it->salsa, key_bytes, key);
        salsa20_set_nonce(&it->salsa, iv);
        return iv_bytes == SALSA20_NONCE_SIZE ? 0 : -1;
    default:
        break;
    }
    size_t one = it->mode == XTS ? key_bytes / 2 : key_bytes;
    if (one != it->cipher->key_size) {
        return -1;
    }
    (it->reversed ? it->cipher->set_decrypt_key : it->cipher->set_encrypt_key)(&it->key, key);
    if (it->mode == XTS) {
        it->cipher->set_encrypt_key(&it->tweak, key + one);
    } else if (it->mode == GCM || it->mode == GMAC) {
        gcm_set_key(&it->hash, &it->key, it->cipher->encrypt);
    } else if (it->mode == CMAC && it->cipher->block_size == 16) {
        cmac128_set_key(&it->subkeys, &it->key, it->cipher->encrypt);
    } else if (it->mode == CMAC) {
        cmac64_set_key(&it->short_subkeys, &it->key, it->cipher->encrypt);
    }
    if (iv_bytes <= sizeof it->iv) {
        memcpy(it->iv, iv, iv_bytes);
    }
    return 0;
}

int cipherlane_shim_iv(void *object, const uint8_t *iv, size_t iv_bytes) {
    struct operation *it = object;
    it->ended = 0;
    if (it->mode == SALSA12 || it->mode == SALSA20) {
        salsa20_set_nonce(&it->salsa, iv);
        return iv_bytes == SALSA20_NONCE_SIZE ? 0 : -1;
    }
    if (iv_bytes > sizeof it->iv) {
        return -1;
    }
    memcpy(it->iv, iv, iv_bytes);
    return 0;
}

int cipherlane_shim_data(void *object, const uint8_t *input, uint8_t *output, size_t bytes) {
    struct operation *it = object;
    nettle_cipher_func *encrypt = it->cipher != NULL ? it->cipher->encrypt : NULL;
    size_t block = it->cipher != NULL ? it->cipher->block_size : 1;
    if (it->ended) {
        return -1;
    }
    switch (it->mode) {
    case ECB:
        (it->encrypts ? encrypt : it->cipher->decrypt)(&it->key, bytes, output, input);
        return 0;
    case CBC:
        if (!it->encrypts) {
            cbc_decrypt(&it->key, it->cipher->decrypt, block, it->iv, bytes, output, input);
        } else if (it->cbc != NULL) {
            it->cbc(&it->key, it->iv, bytes, output, input);
        } else {
            cbc_encrypt(&it->key, encrypt, block, it->iv, bytes, output, input);
        }
        return 0;
    case CTR:
        it->ended = bytes % block != 0;
        ctr_crypt(&it->key, encrypt, block, it->iv, bytes, output, input);
        return 0;
    case CFB:
        it->ended = bytes % block != 0;
        (it->encrypts ? cfb_encrypt : cfb_decrypt)(&it->key, encrypt, block, it->iv, bytes, output,
                                                   input);
        return 0;
    case CFB8:
        (it->encrypts ? cfb8_encrypt : cfb8_decrypt)(&it->key, encrypt, block, it->iv, bytes,
                                                     output, input);
        return 0;
    case XTS:
        if (bytes < XTS_BLOCK_SIZE) {
            return -1;
        }
        if (it->encrypts) {
            xts_encrypt_message(&it->key, &it->tweak, encrypt, it->iv, bytes, output, input);
        } else {
            xts_decrypt_message(&it->key, &it->tweak, it->cipher->decrypt, encrypt, it->iv, bytes,
                                output, input);
        }
        return 0;
    case RC4:
        arcfour_crypt(&it->rc4, bytes, output, input);
        return 0;
    case SALSA12:
    case SALSA20:
        it->ended = bytes % SALSA20_BLOCK_SIZE != 0;
        (it->mode == SALSA12 ? salsa20r12_crypt : salsa20_crypt)(&it->salsa, bytes, output, input);
        return 0;
    default:
        return -1;
    }
}

/* The tag is written, or compared with the one that came. */
static int end(const struct operation *it, const uint8_t *made, uint8_t *tag, size_t bytes) {
    if (it->encrypts) {
        memcpy(tag, made, bytes);
        return 0;
    }
    return memeql_sec(made, tag, bytes) ? 0 : -1;
}

static int siv(struct operation *it, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
               size_t aad_bytes, const uint8_t *input, uint8_t *output, size_t bytes, uint8_t *tag,
               size_t tag_bytes) {
    /* Nettle has the tag behind the ciphertext, in one buffer. */
    enum { TAG = SIV_GCM_DIGEST_SIZE };
    union keys counter;
    uint8_t *joined;
    int right = 1;
    if (tag_bytes != TAG) {
        return -1;
    }
    joined = malloc(bytes + TAG);
    if (joined == NULL) {
        return -1;
    }
    if (it->encrypts) {
        siv_gcm_encrypt_message(it->cipher, &it->key, &counter, iv_bytes, iv, aad_bytes, aad,
                                bytes + TAG, joined, input);
        memcpy(output, joined, bytes);
        memcpy(tag, joined + bytes, TAG);
    } else {
        memcpy(joined, input, bytes);
        memcpy(joined + bytes, tag, TAG);
        right = siv_gcm_decrypt_message(it->cipher, &it->key, &counter, iv_bytes, iv, aad_bytes,
                                        aad, bytes, output, joined);
    }
    free(joined);
    return right ? 0 : -1;
}

int cipherlane_shim_message(void *object, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                            size_t aad_bytes, const uint8_t *input, uint8_t *output, size_t bytes,
                            uint8_t *tag, size_t tag_bytes) {
    struct operation *it = object;
    nettle_cipher_func *encrypt = it->cipher->encrypt;
    uint8_t made[16];
    if (tag_bytes > sizeof made) {
        return -1;
    }
    if (it->mode == GCM_SIV) {
        return siv(it, iv, iv_bytes, aad, aad_bytes, input, output, bytes, tag, tag_bytes);
    }
    if (it->mode == CCM) {
        struct ccm_ctx ccm;
        ccm_set_nonce(&ccm, &it->key, encrypt, iv_bytes, iv, aad_bytes, bytes, tag_bytes);
        ccm_update(&ccm, &it->key, encrypt, aad_bytes, aad);
        (it->encrypts ? ccm_encrypt : ccm_decrypt)(&ccm, &it->key, encrypt, bytes, output, input);
        ccm_digest(&ccm, &it->key, encrypt, tag_bytes, made);
    } else {
        struct gcm_ctx gcm;
        int authenticates = it->mode == GMAC;
        gcm_set_iv(&gcm, &it->hash, iv_bytes, iv);
        gcm_update(&gcm, &it->hash, authenticates ? bytes : aad_bytes, authenticates ? input : aad);
        if (!authenticates && it->encrypts) {
            gcm_encrypt(&gcm, &it->hash, &it->key, encrypt, bytes, output, input);
        } else if (!authenticates) {
            gcm_decrypt(&gcm, &it->hash, &it->key, encrypt, bytes, output, input);
        }
        gcm_digest(&gcm, &it->hash, &it->key, encrypt, tag_bytes, made);
    }
    return end(it, made, tag, tag_bytes);
}

int cipherlane_shim_mac(void *object, const uint8_t *input, size_t bytes, uint8_t *tag,
                        size_t tag_bytes) {
    struct operation *it = object;
    nettle_cipher_func *encrypt = it->cipher->encrypt;
    if (tag_bytes > it->cipher->block_size) {
        return -1;
    }
    if (it->cipher->block_size == 16) {
        struct cmac128_ctx mac;
        cmac128_init(&mac);
        cmac128_update(&mac, &it->key, encrypt, bytes, input);
        cmac128_digest(&mac, &it->subkeys, &it->key, encrypt, (unsigned)tag_bytes, tag);
    } else {
        struct cmac64_ctx mac;
        cmac64_init(&mac);
        cmac64_update(&mac, &it->key, encrypt, bytes, input);
        cmac64_digest(&mac, &it->short_subkeys, &it->key, encrypt, (unsigned)tag_bytes, tag);
    }
    return 0;
}
