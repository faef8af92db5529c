// A C interface to ipsec-mb, for the engine `ipsec-mb`: the library's own is macros over a
// structure of function pointers and jobs with bit-fields of every algorithm it has.
//
// Packets come as arrays, one entry a packet. Every function returns 0, or -1 where the library
// reported an error or did not finish a packet.

#include <intel-ipsec-mb.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The interface's number: the engine refuses a shim of another.
#define INTERFACE 3

uint32_t cipherlane_ipsec_mb_interface(void) { return INTERFACE; }

// The version of the library that is loaded, e.g. "v1.3.0".
const char *cipherlane_ipsec_mb_version(void) { return imb_get_version_str(); }

// A manager with the code that the library chooses for this CPU; null without memory or AES-NI.
void *cipherlane_ipsec_mb_new(void) {
    IMB_MGR *manager = alloc_mb_mgr(0);
    if (manager == NULL) {
        return NULL;
    }
    IMB_ARCH arch = IMB_ARCH_NONE;
    init_mb_mgr_auto(manager, &arch);
    if (imb_get_errno(manager) != 0) {
        free_mb_mgr(manager);
        return NULL;
    }
    return manager;
}

void cipherlane_ipsec_mb_free(void *manager) { free_mb_mgr(manager); }

// The instructions it chose.
const char *cipherlane_ipsec_mb_arch(const void *object) {
    const IMB_MGR *manager = object;
    const int gfni = (manager->features & IMB_FEATURE_GFNI) != 0;
    switch (manager->used_arch) {
    case IMB_ARCH_AVX512:
        return gfni ? "AVX-512 with GFNI" : "AVX-512";
    case IMB_ARCH_AVX2:
        return gfni ? "AVX2 with GFNI" : "AVX2";
    case IMB_ARCH_SSE:
        return gfni ? "SSE with GFNI" : "SSE";
    default:
        return "no AES-NI";
    }
}

static int outcome(IMB_MGR *manager) { return imb_get_errno(manager) == 0 ? 0 : -1; }

// 128-EEA3 of one packet by the one-buffer function, whose keystream is wrong where a cell of
// the LFSR becomes 0.
int cipherlane_ipsec_mb_eea3_one(void *object, const void *key, const void *iv, const void *input,
                                 void *output, uint32_t bytes) {
    IMB_MGR *manager = object;
    IMB_ZUC_EEA3_1_BUFFER(manager, key, iv, input, output, bytes);
    return outcome(manager);
}

// 128-EEA3 of any number of packets by the N-buffer function.
int cipherlane_ipsec_mb_eea3(void *object, const void *const *keys, const void *const *ivs,
                             const void *const *inputs, void **outputs, const uint32_t *bytes,
                             uint32_t packets) {
    IMB_MGR *manager = object;
    IMB_ZUC_EEA3_N_BUFFER(manager, keys, ivs, inputs, outputs, bytes, packets);
    return outcome(manager);
}

// 128-EIA3 of any number of packets by the N-buffer function; lengths in bits, tags of 4 bytes.
int cipherlane_ipsec_mb_eia3(void *object, const void *const *keys, const void *const *ivs,
                             const void *const *inputs, const uint32_t *bits, void **tags,
                             uint32_t packets) {
    IMB_MGR *manager = object;
    IMB_ZUC_EIA3_N_BUFFER(manager, keys, ivs, inputs, bits, (uint32_t **)tags, packets);
    return outcome(manager);
}

// Packets of SNOW 3G whose keys are set up together.
#define SCHEDULES 256

// The packets that the N-buffer function of UEA2 takes: more come out wrong.
#define TOGETHER 16

// UEA2 of packets by the N-buffer function with a key for each.
static int uea2(IMB_MGR *manager, const snow3g_key_schedule_t *const *keys, const void *const *ivs,
                const void *const *inputs, void *const *outputs, const uint32_t *bytes,
                uint32_t packets) {
    for (uint32_t from = 0; from < packets; from += TOGETHER) {
        const uint32_t some = packets - from < TOGETHER ? packets - from : TOGETHER;
        if (some == 1) {
            IMB_SNOW3G_F8_1_BUFFER(manager, keys[from], ivs[from], inputs[from], outputs[from],
                                   bytes[from]);
        } else {
            IMB_SNOW3G_F8_N_BUFFER_MULTIKEY(manager, keys + from, ivs + from, inputs + from,
                                            (void **)(outputs + from), bytes + from, some);
        }
        if (outcome(manager) != 0) {
            return -1;
        }
    }
    return 0;
}

// UEA2, or UIA2 with tags of 4 bytes, by jobs: with AVX-512 the library has lanes for them.
static int snow3g_jobs(IMB_MGR *manager, int mac, const snow3g_key_schedule_t *const *keys,
                       const void *const *ivs, const void *const *inputs, void *const *outputs,
                       const uint32_t *bytes, void *const *tags, uint32_t packets) {
    uint32_t back = 0;
    int failed = 0;
    for (uint32_t i = 0; i < packets; i++) {
        IMB_JOB *job = IMB_GET_NEXT_JOB(manager);
        job->chain_order = IMB_ORDER_CIPHER_HASH;
        job->cipher_direction = IMB_DIR_ENCRYPT;
        job->src = inputs[i];
        if (mac) {
            job->cipher_mode = IMB_CIPHER_NULL;
            job->hash_alg = IMB_AUTH_SNOW3G_UIA2_BITLEN;
            job->u.SNOW3G_UIA2._key = keys[i];
            job->u.SNOW3G_UIA2._iv = ivs[i];
            job->hash_start_src_offset_in_bytes = 0;
            job->msg_len_to_hash_in_bits = (uint64_t)bytes[i] * 8;
            job->auth_tag_output = tags[i];
            job->auth_tag_output_len_in_bytes = 4;
        } else {
            job->cipher_mode = IMB_CIPHER_SNOW3G_UEA2_BITLEN;
            job->hash_alg = IMB_AUTH_NULL;
            job->enc_keys = keys[i];
            job->key_len_in_bytes = 16;
            job->iv = ivs[i];
            job->iv_len_in_bytes = 16;
            job->dst = outputs[i];
            job->cipher_start_src_offset_in_bits = 0;
            job->msg_len_to_cipher_in_bits = (uint64_t)bytes[i] * 8;
        }
        job = IMB_SUBMIT_JOB_NOCHECK(manager);
        for (; job != NULL; job = IMB_GET_COMPLETED_JOB(manager)) {
            back += 1;
            failed |= job->status != IMB_STATUS_COMPLETED;
        }
    }
    for (IMB_JOB *job = IMB_FLUSH_JOB(manager); job != NULL; job = IMB_FLUSH_JOB(manager)) {
        back += 1;
        failed |= job->status != IMB_STATUS_COMPLETED;
    }
    return failed || back != packets ? -1 : 0;
}

// SNOW 3G of any number of packets, each with its key of 16 bytes, which is set up: UEA2, or where
// `tag_bytes` is 4 UIA2. Single packets go to the one-buffer functions, several to jobs where the
// library has lanes for these, else to the N-buffer function of UEA2 and one by one of UIA2.
int cipherlane_ipsec_mb_snow3g(void *object, uint32_t tag_bytes, const void *const *keys,
                               const void *const *ivs, const void *const *inputs,
                               void *const *outputs, const uint32_t *bytes, void *const *tags,
                               uint32_t packets) {
    IMB_MGR *manager = object;
    const int mac = tag_bytes != 0;
    snow3g_key_schedule_t schedules[SCHEDULES];
    const snow3g_key_schedule_t *pointers[SCHEDULES];
    for (uint32_t from = 0; from < packets; from += SCHEDULES) {
        const uint32_t some = packets - from < SCHEDULES ? packets - from : SCHEDULES;
        for (uint32_t i = 0; i < some; i++) {
            if (IMB_SNOW3G_INIT_KEY_SCHED(manager, keys[from + i], &schedules[i]) != 0) {
                return -1;
            }
            pointers[i] = &schedules[i];
        }
        int done = 0;
        if (some > 1 && manager->used_arch == IMB_ARCH_AVX512) {
            done = snow3g_jobs(manager, mac, pointers, ivs + from, inputs + from, outputs + from,
                               bytes + from, tags + from, some);
        } else if (mac) {
            for (uint32_t i = 0; i < some; i++) {
                IMB_SNOW3G_F9_1_BUFFER(manager, pointers[i], ivs[from + i], inputs[from + i],
                                       (uint64_t)bytes[from + i] * 8, tags[from + i]);
            }
            done = outcome(manager);
        } else {
            done = uea2(manager, pointers, ivs + from, inputs + from, outputs + from, bytes + from,
                        some);
        }
        if (done != 0) {
            return -1;
        }
    }
    return 0;
}

// What is the same for the jobs of a call.
typedef struct {
    uint32_t key_bytes;
    uint32_t iv_bytes;
    // 0 for encryption, else the length of the tag.
    uint32_t tag_bytes;
} Kind;

static void encrypt(IMB_JOB *job, const Kind *kind, const void *key, const void *iv) {
    job->cipher_mode = IMB_CIPHER_ZUC_EEA3;
    job->hash_alg = IMB_AUTH_NULL;
    job->enc_keys = key;
    job->key_len_in_bytes = kind->key_bytes;
    job->iv = iv;
    job->iv_len_in_bytes = kind->iv_bytes;
}

static void authenticate(IMB_JOB *job, const Kind *kind, const void *key, const void *iv) {
    const int zuc256 = kind->key_bytes == 32;
    job->cipher_mode = IMB_CIPHER_NULL;
    job->hash_alg = zuc256 ? IMB_AUTH_ZUC256_EIA3_BITLEN : IMB_AUTH_ZUC_EIA3_BITLEN;
    job->u.ZUC_EIA3._key = key;
    // The library looks at the second pointer only where the first is null.
    job->u.ZUC_EIA3._iv = kind->iv_bytes == 23 ? NULL : iv;
    job->u.ZUC_EIA3._iv23 = kind->iv_bytes == 23 ? iv : NULL;
    job->auth_tag_output_len_in_bytes = kind->tag_bytes;
}

// A tally of jobs that came back, and whether all of them were done.
typedef struct {
    uint32_t back;
    int failed;
} Tally;

static void count(Tally *tally, const IMB_JOB *job) {
    tally->back += 1;
    tally->failed |= job->status != IMB_STATUS_COMPLETED;
}

// Any number of packets by jobs, all of which have come back on return. A key of 16 bytes is one
// of 128-EEA3 or 128-EIA3, one of 32 bytes one of ZUC-256 (2018). Encryption reads no `tags`, a
// MAC reads no `outputs`. The jobs are submitted unchecked: lengths are the caller's to check.
int cipherlane_ipsec_mb_jobs(void *object, uint32_t key_bytes, uint32_t iv_bytes,
                             uint32_t tag_bytes, const void *const *keys, const void *const *ivs,
                             const void *const *inputs, void *const *outputs,
                             const uint32_t *bytes, void *const *tags, uint32_t packets) {
    IMB_MGR *manager = object;
    const Kind kind = {key_bytes, iv_bytes, tag_bytes};
    Tally tally = {0, 0};
    for (uint32_t i = 0; i < packets; i++) {
        IMB_JOB *job = IMB_GET_NEXT_JOB(manager);
        job->chain_order = IMB_ORDER_CIPHER_HASH;
        job->cipher_direction = IMB_DIR_ENCRYPT;
        job->src = inputs[i];
        if (tag_bytes == 0) {
            encrypt(job, &kind, keys[i], ivs[i]);
            job->dst = outputs[i];
            job->cipher_start_src_offset_in_bytes = 0;
            job->msg_len_to_cipher_in_bytes = bytes[i];
        } else {
            authenticate(job, &kind, keys[i], ivs[i]);
            job->hash_start_src_offset_in_bytes = 0;
            job->msg_len_to_hash_in_bits = (uint64_t)bytes[i] * 8;
            job->auth_tag_output = tags[i];
        }
        job = IMB_SUBMIT_JOB_NOCHECK(manager);
        for (; job != NULL; job = IMB_GET_COMPLETED_JOB(manager)) {
            count(&tally, job);
        }
    }
    for (IMB_JOB *job = IMB_FLUSH_JOB(manager); job != NULL; job = IMB_FLUSH_JOB(manager)) {
        count(&tally, job);
    }
    return tally.failed || tally.back != packets ? -1 : 0;
}
