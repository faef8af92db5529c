// The part of the interface for block ciphers, compiled as one text behind shim.c.

// Block ciphers. An object has a cipher, a mode and a direction, and its key in the forms that the
// library wants.

enum { ECB, CBC, CTR, CFB, GCM, CCM, CMAC, GMAC };

// The longest tag.
#define TAG 16

// The most packets of a call.
#define MOST 4096

typedef struct {
    struct gcm_key_data gcm;
    // The schedules of both directions: of AES at most 15 round keys, of SM4 32 words.
    _Alignas(64) uint8_t forward[240];
    _Alignas(64) uint8_t backward[240];
    _Alignas(16) uint8_t first[16];
    _Alignas(16) uint8_t second[16];
    IMB_MGR *manager;
    // The bytes of AES's key; 0 for SM4.
    uint32_t aes;
    uint32_t mode;
    uint32_t encrypt;
} Keyed;

static int is_there(uint32_t aes, uint32_t mode) {
    if (aes == 0) {
        return mode == ECB || mode == CBC || mode == CTR || mode == GCM;
    }
    return (mode != CCM && mode != CMAC) || aes != 24;
}

// An object without a key; null if the library has no such mode of that cipher.
void *cipherlane_ipsec_mb_keyed_new(void *manager, uint32_t aes, uint32_t mode, uint32_t encrypt) {
    Keyed *keyed = is_there(aes, mode) ? aligned_alloc(64, (sizeof(Keyed) + 63) / 64 * 64) : NULL;
    if (keyed != NULL) {
        memset(keyed, 0, sizeof(Keyed));
        keyed->manager = manager;
        keyed->aes = aes;
        keyed->mode = mode;
        keyed->encrypt = encrypt;
    }
    return keyed;
}

void cipherlane_ipsec_mb_keyed_free(void *keyed) { free(keyed); }

static void expand(Keyed *it, const void *key) {
    IMB_MGR *manager = it->manager;
    switch (it->aes) {
    case 0:
        IMB_SM4_KEYEXP(manager, key, it->forward, it->backward);
        break;
    case 16:
        IMB_AES_KEYEXP_128(manager, key, it->forward, it->backward);
        break;
    case 24:
        IMB_AES_KEYEXP_192(manager, key, it->forward, it->backward);
        break;
    default:
        IMB_AES_KEYEXP_256(manager, key, it->forward, it->backward);
    }
}

static void expand_with_hash(Keyed *it, const void *key) {
    IMB_MGR *manager = it->manager;
    switch (it->aes) {
    case 0:
        imb_sm4_gcm_pre(manager, key, &it->gcm);
        break;
    case 16:
        IMB_AES128_GCM_PRE(manager, key, &it->gcm);
        break;
    case 24:
        IMB_AES192_GCM_PRE(manager, key, &it->gcm);
        break;
    default:
        IMB_AES256_GCM_PRE(manager, key, &it->gcm);
    }
}

// Sets a key of the cipher's length.
int cipherlane_ipsec_mb_set_key(void *object, const void *key) {
    Keyed *it = object;
    IMB_MGR *manager = it->manager;
    if (it->mode == GCM || it->mode == GMAC) {
        expand_with_hash(it, key);
    } else {
        expand(it, key);
    }
    if (it->mode == CMAC && it->aes == 16) {
        IMB_AES_CMAC_SUBKEY_GEN_128(manager, it->forward, it->first, it->second);
    } else if (it->mode == CMAC) {
        IMB_AES_CMAC_SUBKEY_GEN_256(manager, it->forward, it->first, it->second);
    }
    return outcome(manager);
}

typedef struct {
    const void *iv;
    const void *aad;
    uint64_t aad_bytes;
    const void *input;
    void *output;
    uint64_t bytes;
    // Where the tag is written.
    void *tag;
    // With what it is compared; null where it isn't.
    const void *expected;
    uint64_t tag_bytes;
} Packet;

// GCM and GMAC of AES have functions of their own, which need no job.
#define DIRECTLY(BITS)                                                                             \
    static void directly_##BITS(const Keyed *it, const Packet *packet) {                           \
        IMB_MGR *manager = it->manager;                                                            \
        struct gcm_context_data context;                                                           \
        if (it->mode == GMAC) {                                                                    \
            IMB_AES##BITS##_GMAC_INIT(manager, &it->gcm, &context, packet->iv, 12);                \
            IMB_AES##BITS##_GMAC_UPDATE(manager, &it->gcm, &context, packet->input,                \
                                        packet->bytes);                                            \
            IMB_AES##BITS##_GMAC_FINALIZE(manager, &it->gcm, &context, packet->tag,                \
                                          packet->tag_bytes);                                      \
        } else if (it->encrypt) {                                                                  \
            IMB_AES##BITS##_GCM_ENC(manager, &it->gcm, &context, packet->output, packet->input,    \
                                    packet->bytes, packet->iv, packet->aad, packet->aad_bytes,     \
                                    packet->tag, packet->tag_bytes);                               \
        } else {                                                                                   \
            IMB_AES##BITS##_GCM_DEC(manager, &it->gcm, &context, packet->output, packet->input,    \
                                    packet->bytes, packet->iv, packet->aad, packet->aad_bytes,     \
                                    packet->tag, packet->tag_bytes);                               \
        }                                                                                          \
    }

DIRECTLY(128)
DIRECTLY(192)
DIRECTLY(256)

static int is_other(const void *tag, const Packet *packet) {
    return packet->expected != NULL && memcmp(tag, packet->expected, packet->tag_bytes) != 0;
}

static int directly(const Keyed *it, const Packet *packet) {
    if (it->aes == 16) {
        directly_128(it, packet);
    } else if (it->aes == 24) {
        directly_192(it, packet);
    } else {
        directly_256(it, packet);
    }
    return is_other(packet->tag, packet) ? -1 : outcome(it->manager);
}

static IMB_CIPHER_MODE cipher_of(const Keyed *it) {
    switch (it->mode) {
    case ECB:
        return it->aes == 0 ? IMB_CIPHER_SM4_ECB : IMB_CIPHER_ECB;
    case CBC:
        return it->aes == 0 ? IMB_CIPHER_SM4_CBC : IMB_CIPHER_CBC;
    case CTR:
        return it->aes == 0 ? IMB_CIPHER_SM4_CNTR : IMB_CIPHER_CNTR;
    case CFB:
        return IMB_CIPHER_CFB;
    case GCM:
        return IMB_CIPHER_SM4_GCM;
    case CCM:
        return IMB_CIPHER_CCM;
    default:
        return IMB_CIPHER_NULL;
    }
}

static void fill(IMB_JOB *job, const Keyed *it, const Packet *packet) {
    job->cipher_mode = cipher_of(it);
    job->cipher_direction = it->encrypt ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
    job->chain_order = IMB_ORDER_CIPHER_HASH;
    job->hash_alg = IMB_AUTH_NULL;
    job->enc_keys = it->forward;
    job->dec_keys = it->mode == ECB || it->mode == CBC ? it->backward : it->forward;
    job->key_len_in_bytes = it->aes == 0 ? 16 : it->aes;
    job->src = packet->input;
    job->dst = packet->output;
    job->iv = packet->iv;
    job->iv_len_in_bytes = it->mode == ECB ? 0 : it->mode == GCM || it->mode == CCM ? 12 : 16;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = packet->bytes;
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = packet->bytes;
    job->auth_tag_output = packet->tag;
    job->auth_tag_output_len_in_bytes = packet->tag_bytes;
    switch (it->mode) {
    case GCM:
        job->hash_alg = IMB_AUTH_SM4_GCM;
        job->chain_order = it->encrypt ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
        job->enc_keys = &it->gcm;
        job->dec_keys = &it->gcm;
        job->u.GCM.aad = packet->aad;
        job->u.GCM.aad_len_in_bytes = packet->aad_bytes;
        break;
    case CCM:
        job->hash_alg = IMB_AUTH_AES_CCM;
        job->chain_order = it->encrypt ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH;
        job->u.CCM.aad = packet->aad;
        job->u.CCM.aad_len_in_bytes = packet->aad_bytes;
        break;
    case CMAC:
        job->hash_alg = it->aes == 16 ? IMB_AUTH_AES_CMAC : IMB_AUTH_AES_CMAC_256;
        job->u.CMAC._key_expanded = it->forward;
        job->u.CMAC._skey1 = it->first;
        job->u.CMAC._skey2 = it->second;
        break;
    default:
        break;
    }
}

// Any number of packets, each under its object, which are all of one cipher and mode; all have come
// back on return. Where an object opens, a tag is compared, else written. The jobs are submitted
// unchecked: lengths are the caller's to check.
int cipherlane_ipsec_mb_apply(void *const *objects, const void *const *ivs,
                              const void *const *aads, uint32_t aad_bytes,
                              const void *const *inputs, void *const *outputs,
                              const uint64_t *bytes, void *const *tags, uint32_t tag_bytes,
                              uint32_t packets) {
    uint8_t made[64][TAG];
    if (packets == 0 || packets > MOST || tag_bytes > TAG) {
        return packets == 0 ? 0 : -1;
    }
    const Keyed *any = objects[0];
    const int opens = tag_bytes > 0 && !any->encrypt;
    const int direct = any->aes != 0 && (any->mode == GCM || any->mode == GMAC);
    IMB_MGR *manager = any->manager;
    Tally tally = {0, 0};
    const void *expected[64];
    uint32_t from = 0;
    for (uint32_t i = 0; i < packets; i++) {
        const Keyed *it = objects[i];
        const uint32_t place = i % 64;
        if (bytes[i] == 0 && tag_bytes == 0) {
            tally.back += 1;
            continue;
        }
        const Packet packet = {ivs[i],      aads[i],
                               aad_bytes,   inputs[i],
                               outputs[i],  bytes[i],
                               opens ? made[place] : tags[i],
                               opens ? tags[i] : NULL,
                               tag_bytes};
        if (direct) {
            if (directly(it, &packet) != 0) {
                return -1;
            }
            continue;
        }
        expected[place] = packet.expected;
        IMB_JOB *job = IMB_GET_NEXT_JOB(manager);
        fill(job, it, &packet);
        job = IMB_SUBMIT_JOB_NOCHECK(manager);
        for (; job != NULL; job = IMB_GET_COMPLETED_JOB(manager)) {
            count(&tally, job);
        }
        // The tags that are compared have room for so many packets.
        if (opens && (place == 63 || i + 1 == packets)) {
            while ((job = IMB_FLUSH_JOB(manager)) != NULL) {
                count(&tally, job);
            }
            for (; from <= i; from++) {
                tally.failed |= memcmp(made[from % 64], expected[from % 64], tag_bytes) != 0;
            }
        }
    }
    for (IMB_JOB *job = direct ? NULL : IMB_FLUSH_JOB(manager); job != NULL;
         job = IMB_FLUSH_JOB(manager)) {
        count(&tally, job);
    }
    return tally.failed || (!direct && tally.back != packets) ? -1 : 0;
}
