/* Every misuse that can be told gives a status, never a crash. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cipherlane.h"

static int checks;

static void expect(int line, int got, int wanted) {
    if (got != wanted) {
        fprintf(stderr, "line %d: %s; expected: %s\n", line, cipherlane_strerror(got),
                cipherlane_strerror(wanted));
        assert(0);
    }
    checks++;
}
#define EXPECT(call, status) expect(__LINE__, call, CIPHERLANE_##status)
/* The status where what a call was given is wrong, else that it was done. */
#define EXPECT_IF(wrong, call, status) \
    expect(__LINE__, call, (wrong) ? CIPHERLANE_##status : CIPHERLANE_OK)

int main(void) {
    uint8_t key[64], iv[32], data[256], out[256], tag[32];
    size_t n = 99;
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    memset(iv, 7, sizeof iv);
    memset(data, 1, sizeof data);
    memset(tag, 0, sizeof tag);

    /* Names and pointers. */
    struct cipherlane_cipher *c = NULL;
    EXPECT(cipherlane_cipher_new(NULL, "sm4", "ctr", NULL, key, 16, iv, 16), NULL);
    EXPECT(cipherlane_cipher_new(&c, NULL, "ctr", NULL, key, 16, iv, 16), NULL);
    EXPECT(cipherlane_cipher_new(&c, "sm5", "ctr", NULL, key, 16, iv, 16), UNKNOWN_ALGORITHM);
    EXPECT(cipherlane_cipher_new(&c, "sm4", "cmac", NULL, key, 16, iv, 16), UNKNOWN_OPERATION);
    EXPECT(cipherlane_cipher_new(&c, "sm4", "\xff", NULL, key, 16, iv, 16), TEXT);
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", NULL, NULL, 16, iv, 16), NULL);
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", NULL, key, 15, iv, 16), LENGTH);
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", NULL, key, 16, iv, 12), LENGTH);
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", NULL, key, SIZE_MAX, iv, 16), LENGTH);
    assert(c == NULL);
    struct cipherlane_options options;
    memset(&options, 0, sizeof options);
    options.level = "sse9";
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", &options, key, 16, iv, 16), UNKNOWN_LEVEL);
    options.level = NULL;
    options.padding = 77;
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", &options, key, 16, iv, 16), VALUE);
    options.padding = 0;
    options.word_bits = 16;
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", &options, key, 16, iv, 16), VALUE);
    char line[200], little[5];
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", NULL, key, 15, iv, 16), LENGTH);
    size_t length = cipherlane_last_error(line, sizeof line);
    assert(length == strlen(line) && strstr(line, "key of 15 bytes"));
    assert(cipherlane_last_error(little, sizeof little) == length && strlen(little) == 4);
    assert(cipherlane_last_error(NULL, 0) == length);

    /* Order of calls, room, overlap, huge lengths. */
    options.word_bits = 0;
    options.padding = CIPHERLANE_PADDING_PKCS7;
    EXPECT(cipherlane_cipher_new(&c, "sm4", "ctr", &options, key, 16, iv, 16), VALUE);
    options.padding = CIPHERLANE_PADDING_PKCS7;
    EXPECT(cipherlane_cipher_new(&c, "sm4", "cbc-encrypt", &options, key, 16, iv, 16), OK);
    EXPECT(cipherlane_cipher_update(c, data, 40, out, 16, &n), OUTPUT_LENGTH);
    EXPECT(cipherlane_cipher_update(c, data, SIZE_MAX, out, SIZE_MAX, &n), LENGTH);
    EXPECT(cipherlane_cipher_update(c, data, SIZE_MAX / 2, out, sizeof out, &n), OUTPUT_LENGTH);
    EXPECT(cipherlane_cipher_update(c, data, 40, data + 8, 100, &n), OVERLAP);
    EXPECT(cipherlane_cipher_update(c, data, 40, out, sizeof out, NULL), NULL);
    EXPECT(cipherlane_cipher_update(c, NULL, 40, out, sizeof out, &n), NULL);
    EXPECT(cipherlane_cipher_update(c, data, 40, NULL, sizeof out, &n), NULL);
    EXPECT(cipherlane_cipher_update(c, data, 40, out, sizeof out, &n), OK);
    assert(n == 32);
    EXPECT(cipherlane_cipher_final(c, out + n, 15, &n), OUTPUT_LENGTH);
    EXPECT(cipherlane_cipher_final(c, out + 32, sizeof out - 32, &n), OK);
    assert(n == 16);
    EXPECT(cipherlane_cipher_update(c, data, 1, out, sizeof out, &n), STATE);
    EXPECT(cipherlane_cipher_final(c, out, sizeof out, &n), STATE);
    EXPECT(cipherlane_cipher_reset(c, iv, 15), LENGTH);
    EXPECT(cipherlane_cipher_reset(c, iv, 16), OK);
    EXPECT(cipherlane_cipher_message(c, iv, 16, data, out, 15), PARTIAL_BLOCK);
    EXPECT(cipherlane_cipher_message(c, iv, 16, data, out, SIZE_MAX), OVERLAP);
    EXPECT(cipherlane_cipher_message(c, out + 8, 16, data, out, 32), OVERLAP);
    EXPECT(cipherlane_cipher_message(NULL, iv, 16, data, out, 16), NULL);
    EXPECT(cipherlane_cipher_update(c, data, 16, out, sizeof out, &n), STATE);
    EXPECT(cipherlane_cipher_final(c, out, sizeof out, &n), STATE);
    cipherlane_cipher_free(c);
    cipherlane_cipher_free(NULL);

    /* Padding that is not valid; a message mode in two pieces; equal keys; limits. */
    EXPECT(cipherlane_cipher_new(&c, "sm4", "cbc-decrypt", &options, key, 16, iv, 16), OK);
    EXPECT(cipherlane_cipher_update(c, data, 32, out, sizeof out, &n), OK);
    EXPECT(cipherlane_cipher_final(c, out, sizeof out, &n), PADDING);
    cipherlane_cipher_free(c);
    EXPECT(cipherlane_cipher_new(&c, "aes-128", "xts-encrypt", NULL, key, 32, iv, 16), OK);
    EXPECT(cipherlane_cipher_update(c, data, 8, out, sizeof out, &n), LENGTH);
    EXPECT(cipherlane_cipher_update(c, data, 17, out, sizeof out, &n), OK);
    EXPECT(cipherlane_cipher_update(c, data, 16, out, sizeof out, &n), STATE);
    cipherlane_cipher_free(c);
    EXPECT(cipherlane_cipher_new(&c, "aes-128", "xts-encrypt", NULL, data, 32, iv, 16),
           EQUAL_KEYS);
    EXPECT(cipherlane_cipher_once("zuc-256", "keystream", NULL, key, 32, iv, 25, data, 256, out,
                                  256, &n), OK);
    EXPECT(cipherlane_cipher_once("sm4", "ecb-encrypt", NULL, key, 16, NULL, 0, data, 17, out, 256,
                                  &n), PARTIAL_BLOCK);

    /* AEADs. */
    struct cipherlane_aead *a = NULL;
    struct cipherlane_aead_stream *s = NULL;
    EXPECT(cipherlane_aead_new(&a, "sm4", "ctr", NULL, key, 16), UNKNOWN_OPERATION);
    EXPECT(cipherlane_aead_new(&a, "aes-192", "gcm-siv", NULL, key, 24), UNKNOWN_OPERATION);
    EXPECT(cipherlane_aead_new(&a, "sm4", "gcm-seal", NULL, key, 16), OK);
    EXPECT(cipherlane_aead_seal(a, iv, 0, NULL, 0, data, out, 40, tag, 16), LENGTH);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, tag, 17), LENGTH);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 5, data, out, 40, tag, 16), NULL);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, data + 1, 40, tag, 16), OVERLAP);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, out + 30, 16), OVERLAP);
    /* The output would change associated data, or the nonce, before it is read. */
    EXPECT(cipherlane_aead_seal(a, iv, 12, out + 39, 9, data, out, 40, tag, 16), OVERLAP);
    EXPECT(cipherlane_aead_seal(a, out, 12, NULL, 0, data, out, 40, tag, 16), OVERLAP);
    EXPECT(cipherlane_aead_seal(a, iv, 12, tag, 1, data, out, 40, tag, 16), OVERLAP);
    EXPECT(cipherlane_aead_open(a, iv, 12, out + 8, 8, data, out, 40, tag, 16), OVERLAP);
    EXPECT(cipherlane_aead_open(a, iv, 12, NULL, 0, data, out, 40, out, 16), OVERLAP);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, tag, 16), OK);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, tag, 16), NONCE_REUSED);
    tag[3] ^= 1;
    EXPECT(cipherlane_aead_open(a, iv, 12, NULL, 0, out, out, 40, tag, 16), AUTHENTICATION);
    for (int i = 0; i < 40; i++) assert(out[i] == 0);
    iv[0] ^= 1;
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, tag, 16), OK);
    cipherlane_aead_free(a);
    options.padding = CIPHERLANE_PADDING_NONE;
    options.allow_nonce_reuse = 2;
    EXPECT(cipherlane_aead_new(&a, "sm4", "gcm", &options, key, 16), VALUE);
    options.allow_nonce_reuse = 1;
    EXPECT(cipherlane_aead_new(&a, "sm4", "gcm", &options, key, 16), OK);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, tag, 16), OK);
    EXPECT(cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 40, tag, 16), OK);
    cipherlane_aead_free(a);
    EXPECT(cipherlane_aead_stream_new(&s, "aes-128", "gcm-siv-seal", NULL, key, 16, iv, 12),
           UNKNOWN_OPERATION);
    EXPECT(cipherlane_aead_stream_new(&s, "sm4", "gcm", NULL, key, 16, iv, 12), UNKNOWN_OPERATION);
    EXPECT(cipherlane_aead_stream_new(&s, "sm4", "gcm-seal", NULL, key, 16, iv, 12), OK);
    EXPECT(cipherlane_aead_stream_update(s, data, out, 10), OK);
    EXPECT(cipherlane_aead_stream_aad(s, data, 10), STATE);
    EXPECT(cipherlane_aead_stream_verify(s, tag, 16), STATE);
    EXPECT(cipherlane_aead_stream_final(s, tag, 16), OK);
    EXPECT(cipherlane_aead_stream_update(s, data, out, 10), STATE);
    EXPECT(cipherlane_aead_stream_reset(s, iv, 12), NONCE_REUSED);
    iv[0] ^= 1;
    EXPECT(cipherlane_aead_stream_reset(s, iv, 12), OK);
    cipherlane_aead_stream_free(s);
    EXPECT(cipherlane_aead_stream_new(&s, "sm4", "gcm-open", NULL, key, 16, iv, 12), OK);
    EXPECT(cipherlane_aead_stream_reset(s, iv, 12), OK);
    cipherlane_aead_stream_free(s);
    EXPECT(cipherlane_aead_stream_new(&s, "sm4", "ccm-seal", NULL, key, 16, iv, 12), OK);
    EXPECT(cipherlane_aead_stream_update(s, data, out, 10), STATE);
    EXPECT(cipherlane_aead_stream_announce(s, 0, 10, 3), LENGTH);
    cipherlane_aead_stream_free(s);

    /* MACs. */
    struct cipherlane_mac *m = NULL;
    EXPECT(cipherlane_mac_new(&m, "sm4", "cmac", NULL, key, 16, NULL, 0, 17), LENGTH);
    EXPECT(cipherlane_mac_new(&m, "sm4", "cmac", NULL, key, 16, NULL, 0, 0), OK);
    EXPECT(cipherlane_mac_update(m, data, 33), OK);
    EXPECT(cipherlane_mac_update_bits(m, data, 1, 3), STATE);
    EXPECT(cipherlane_mac_update_bits(m, data, 1, 9), VALUE);
    EXPECT(cipherlane_mac_final(m, tag, 0), LENGTH);
    EXPECT(cipherlane_mac_final(m, tag, 16), OK);
    EXPECT(cipherlane_mac_final(m, tag, 16), STATE);
    EXPECT(cipherlane_mac_update(m, data, 1), STATE);
    EXPECT(cipherlane_mac_reset(m, NULL, 0), OK);
    EXPECT(cipherlane_mac_verify(m, tag, 16), AUTHENTICATION);
    EXPECT(cipherlane_mac_reset(m, NULL, 0), OK);
    EXPECT(cipherlane_mac_verify(m, tag, 8), LENGTH);
    EXPECT(cipherlane_mac_final(m, tag, 8), LENGTH);
    cipherlane_mac_free(m);
    EXPECT(cipherlane_mac_new(&m, "sm4", "cmac", NULL, key, 16, NULL, 0, 8), OK);
    EXPECT(cipherlane_mac_verify(m, tag, 4), LENGTH);
    EXPECT(cipherlane_mac_final(m, tag, 16), LENGTH);
    EXPECT(cipherlane_mac_final(m, tag, 8), OK);
    cipherlane_mac_free(m);

    /* MACs with an IV: it serves one message. */
    static const struct {
        const char *algorithm, *operation;
        size_t key, iv;
    } macs[] = {{"sm4", "gmac", 16, 12}, {"zuc-128", "eia3", 16, 16}, {"zuc-256-2023", "nia6", 32, 16}};
    for (size_t i = 0; i < sizeof macs / sizeof *macs; i++) {
        EXPECT(cipherlane_mac_new(&m, macs[i].algorithm, macs[i].operation, NULL, key, macs[i].key,
                                  iv, macs[i].iv, 4), OK);
        EXPECT(cipherlane_mac_update(m, data, 20), OK);
        EXPECT(cipherlane_mac_final(m, tag, 4), OK);
        EXPECT(cipherlane_mac_update(m, data, 20), STATE);
        EXPECT(cipherlane_mac_final(m, tag, 4), STATE);
        EXPECT(cipherlane_mac_verify(m, tag, 4), STATE);
        EXPECT(cipherlane_mac_reset(m, iv, macs[i].iv), NONCE_REUSED);
        EXPECT(cipherlane_mac_update(m, data, 20), STATE);
        iv[0] ^= 1;
        EXPECT(cipherlane_mac_reset(m, iv, macs[i].iv), OK);
        EXPECT(cipherlane_mac_update(m, data, 20), OK);
        EXPECT(cipherlane_mac_verify(m, tag, 4), AUTHENTICATION);
        EXPECT(cipherlane_mac_verify(m, tag, 4), STATE);
        /* A tag that was only compared tells nothing: a receiver may try again. */
        EXPECT(cipherlane_mac_reset(m, iv, macs[i].iv), OK);
        cipherlane_mac_free(m);
    }

    /* Batches. */
    struct cipherlane_batch *b = NULL;
    const uint8_t *keys[2] = {key, NULL};
    EXPECT(cipherlane_batch_new(&b, "sm4", "nonesuch", NULL), UNKNOWN_OPERATION);
    EXPECT(cipherlane_batch_new(&b, "sm4", "gcm", NULL), UNKNOWN_OPERATION);
    EXPECT(cipherlane_batch_new_ready(&b, "sm4", "ctr", NULL, keys, 16, 2), NULL);
    EXPECT(cipherlane_batch_new_ready(&b, "sm4", "ctr", NULL, keys, 16, SIZE_MAX), LENGTH);
    EXPECT(cipherlane_batch_new_ready(&b, "sm4", "ctr", NULL, keys, 16, 1), OK);
    struct cipherlane_packet packets[2];
    memset(packets, 0, sizeof packets);
    for (int i = 0; i < 2; i++) {
        packets[i].iv = iv;
        packets[i].iv_length = 16;
        packets[i].input = packets[i].output = data + 100 * i;
        packets[i].length = 100;
    }
    packets[1].key_index = 1;
    EXPECT(cipherlane_batch_apply(b, packets, 2), VALUE);
    assert(packets[0].failed == 0 && packets[1].failed == 1 && data[0] == 1);
    packets[1].key_index = 0;
    packets[1].length = SIZE_MAX;
    EXPECT(cipherlane_batch_apply(b, packets, 2), LENGTH);
    packets[1].length = 100;
    packets[1].iv = data + 150;
    EXPECT(cipherlane_batch_apply(b, packets, 2), OVERLAP);
    assert(packets[1].failed == 1 && data[150] == 1);
    packets[1].iv = iv;
    packets[1].reserved[2] = 1;
    EXPECT(cipherlane_batch_apply(b, packets, 2), VALUE);
    assert(packets[1].failed == 1);
    packets[1].reserved[2] = 0;
    EXPECT(cipherlane_batch_apply(b, NULL, 2), NULL);
    EXPECT(cipherlane_batch_apply(b, packets, SIZE_MAX), LENGTH);
    EXPECT(cipherlane_batch_apply(b, NULL, 0), OK);
    EXPECT(cipherlane_batch_apply(b, packets, 2), OK);
    cipherlane_batch_free(b);
    assert(cipherlane_batch_lanes(NULL) == 0);

    /* The length of tags is the object's: none is compared in part. */
    struct cipherlane_packet packet;
    memset(&packet, 0, sizeof packet);
    packet.iv = iv;
    packet.iv_length = 12;
    packet.input = packet.output = data;
    packet.length = 20;
    packet.tag = tag;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    for (options.tag_length = 0; options.tag_length <= 17; options.tag_length++) {
        const size_t t = options.tag_length == 0 ? 16 : options.tag_length;
        const int known = t == 4 || t == 8 || (t >= 12 && t <= 16);
        EXPECT_IF(!known, cipherlane_aead_new(&a, "sm4", "gcm", &options, key, 16), LENGTH);
        EXPECT_IF(!known, cipherlane_aead_stream_new(&s, "sm4", "gcm-open", &options, key, 16, iv,
                                                     12), LENGTH);
        EXPECT_IF(!known, cipherlane_batch_new_ready(&b, "sm4", "gcm-open", &options, keys, 16, 1),
                  LENGTH);
        for (size_t got = 0; got <= 17 && known; got++) {
            memset(iv, (int)got, 12);
            EXPECT_IF(got != t, cipherlane_aead_seal(a, iv, 12, NULL, 0, data, out, 20, tag, got),
                      LENGTH);
            tag[0] ^= 1;
            packet.tag_length = got;
            if (got != t) {
                EXPECT(cipherlane_aead_open(a, iv, 12, NULL, 0, out, out, 20, tag, got), LENGTH);
                EXPECT(cipherlane_aead_stream_verify(s, tag, got), LENGTH);
                EXPECT(cipherlane_batch_apply(b, &packet, 1), LENGTH);
                assert(packet.failed == 1);
            } else {
                EXPECT(cipherlane_aead_open(a, iv, 12, NULL, 0, out, out, 20, tag, got),
                       AUTHENTICATION);
                EXPECT(cipherlane_batch_apply(b, &packet, 1), AUTHENTICATION);
            }
        }
        cipherlane_aead_free(a);
        cipherlane_aead_stream_free(s);
        cipherlane_batch_free(b);
    }
    options.tag_length = 0;
    options.size = 3;
    EXPECT(cipherlane_aead_new(&a, "sm4", "gcm", &options, key, 16), VALUE);

    /* What is written is told, also where the call has failed. */
    n = 99;
    EXPECT(cipherlane_cipher_once("sm4", "ctr", NULL, key, 15, iv, 16, data, 9, out, 9, &n), LENGTH);
    assert(n == 0);
    n = 99;
    EXPECT(cipherlane_cipher_once("sm4", "ctr", NULL, key, 16, iv, 16, data, 9, out, 8, &n),
           OUTPUT_LENGTH);
    assert(n == 0);
    n = 99;
    EXPECT(cipherlane_cipher_update(NULL, data, 9, out, 9, &n), NULL);
    assert(n == 0);
    EXPECT(cipherlane_cipher_once("sm4", "ctr", NULL, key, 16, iv, 16, data, 9, out, 9, NULL), NULL);

    /* IVs of 3GPP. */
    EXPECT(cipherlane_3gpp_iv("eea3", 1, 32, 0, 0, iv, 16), VALUE);
    EXPECT(cipherlane_3gpp_iv("eea3", 1, 256, 0, 0, iv, 16), VALUE);
    EXPECT(cipherlane_3gpp_iv("eea3", 1, 0, 2, 0, iv, 16), VALUE);
    EXPECT(cipherlane_3gpp_iv("eea3", 1, 0, 1, 4, iv, 16), LENGTH);
    EXPECT(cipherlane_3gpp_iv("eea3", 1, 0, 1, 0, iv, 15), LENGTH);
    EXPECT(cipherlane_3gpp_iv("eea3", 1, 0, 1, 0, NULL, 16), NULL);
    EXPECT(cipherlane_3gpp_iv("nia6", 1, 0, 1, 3, iv, 16), LENGTH);
    EXPECT(cipherlane_3gpp_iv("eea2", 1, 0, 1, 0, iv, 16), UNKNOWN_OPERATION);
    EXPECT(cipherlane_3gpp_iv("eea3+eia3", 1, 0, 1, 0, iv, 32), OK);
    EXPECT(cipherlane_aead_new(&a, "zuc-128", "eea3+eia3", NULL, key, 32), UNKNOWN_OPERATION);

    /* Secrets. */
    assert(cipherlane_equal(key, key, 64) == 1 && cipherlane_equal(key, data, 64) == 0);
    assert(cipherlane_equal(NULL, NULL, 0) == 1 && cipherlane_equal(NULL, data, 1) == 0);
    EXPECT(cipherlane_wipe(NULL, 1), NULL);
    EXPECT(cipherlane_wipe(key, sizeof key), OK);
    assert(key[0] == 0 && key[63] == 0);

    /* Every line of detail says more than the status. */
    static const char *const said[][3] = {
        {"SM4", "ctr", "did you mean sm4?"},
        {"aes", "ctr", "did you mean aes-128, aes-192 or aes-256?"},
        {"sm4", "gcm-seal", "an operation of an AEAD"},
        {"sm4", "cmac", "an operation of a MAC"},
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        assert(cipherlane_cipher_new(&c, said[i][0], said[i][1], NULL, key, 16, iv, 16) != 0);
        cipherlane_last_error(line, sizeof line);
        assert(strstr(line, said[i][2]) != NULL);
    }
    EXPECT(cipherlane_aead_stream_new(&s, "sm4", "gcm", NULL, key, 16, iv, 12), UNKNOWN_OPERATION);
    cipherlane_last_error(line, sizeof line);
    assert(strstr(line, "gcm-seal or gcm-open") != NULL);
    EXPECT(cipherlane_cipher_new(NULL, "sm4", "ctr", NULL, key, 16, iv, 16), NULL);
    cipherlane_last_error(line, sizeof line);
    assert(strstr(line, "cipher is null") != NULL);

    printf("misuse: %d statuses as they should be\n", checks);
    return 0;
}
