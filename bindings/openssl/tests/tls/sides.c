/* The two ends: providers, certificates, contexts. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "tls.h"

#define TLS13(name, cipher) {name, cipher, TLS1_3_VERSION, 0}
#define AEAD12(name, cipher) {name, cipher, TLS1_2_VERSION, 0}, {name, cipher, DTLS1_2_VERSION, 0}
/* Without encrypt-then-MAC libssl asks in TLS, not in DTLS, for a cipher that is joined with its MAC,
 * where that is SHA-1 or SHA-256: the default provider has such, so nothing of ours would be tested. */
#define CBC12(name, cipher) \
    {name, cipher, TLS1_2_VERSION, 1}, {name, cipher, DTLS1_2_VERSION, 1}, \
        {name, cipher, DTLS1_2_VERSION, 0}

const struct suite SUITES[] = {
    TLS13("TLS_SM4_GCM_SM3", "SM4-GCM"),
    TLS13("TLS_SM4_CCM_SM3", "SM4-CCM"),
    TLS13("TLS_AES_128_GCM_SHA256", "AES-128-GCM"),
    TLS13("TLS_AES_256_GCM_SHA384", "AES-256-GCM"),
    TLS13("TLS_AES_128_CCM_SHA256", "AES-128-CCM"),
    TLS13("TLS_AES_128_CCM_8_SHA256", "AES-128-CCM"),
    AEAD12("ECDHE-ECDSA-AES128-GCM-SHA256", "AES-128-GCM"),
    AEAD12("ECDHE-ECDSA-AES256-GCM-SHA384", "AES-256-GCM"),
    AEAD12("ECDHE-ECDSA-AES128-CCM", "AES-128-CCM"),
    AEAD12("ECDHE-ECDSA-AES256-CCM", "AES-256-CCM"),
    AEAD12("ECDHE-ECDSA-AES128-CCM8", "AES-128-CCM"),
    AEAD12("ECDHE-ECDSA-AES256-CCM8", "AES-256-CCM"),
    CBC12("ECDHE-ECDSA-AES128-SHA256", "AES-128-CBC"),
    CBC12("ECDHE-ECDSA-AES256-SHA384", "AES-256-CBC"),
    {"ECDHE-ECDSA-AES256-SHA384", "AES-256-CBC", TLS1_2_VERSION, 0},
    CBC12("ECDHE-ECDSA-AES128-SHA", "AES-128-CBC"),
    CBC12("ECDHE-ECDSA-AES256-SHA", "AES-256-CBC"),
};
const size_t SUITE_COUNT = sizeof SUITES / sizeof *SUITES;

int is_sm(const struct suite *suite) { return strstr(suite->name, "SM4") != NULL; }

/* A certificate that is its own authority, signed with SHA-256 or SM3. */
static X509 *certificate(OSSL_LIB_CTX *library, EVP_PKEY *key, const char *digest) {
    X509 *it = X509_new_ex(library, NULL);
    X509_NAME *name = X509_NAME_new();
    EVP_MD *md = EVP_MD_fetch(library, digest, NULL);
    int done = it != NULL && name != NULL && md != NULL &&
               X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                          (const unsigned char *)"localhost", -1, -1, 0) &&
               X509_set_version(it, X509_VERSION_3) &&
               ASN1_INTEGER_set(X509_get_serialNumber(it), 1) &&
               X509_gmtime_adj(X509_getm_notBefore(it), -3600) &&
               X509_gmtime_adj(X509_getm_notAfter(it), 86400) &&
               X509_set_subject_name(it, name) && X509_set_issuer_name(it, name) &&
               X509_set_pubkey(it, key) && X509_sign(it, key, md) > 0;
    X509_NAME_free(name);
    EVP_MD_free(md);
    if (!done) {
        X509_free(it);
        return NULL;
    }
    return it;
}

struct side *side_open(const char *modules, int ours) {
    struct side *side = calloc(1, sizeof *side);
    if (side == NULL || (side->library = OSSL_LIB_CTX_new()) == NULL) return NULL;
    side->ours = ours;
    int loaded = OSSL_PROVIDER_load(side->library, "default") != NULL;
    if (loaded && ours) {
        loaded = OSSL_PROVIDER_set_default_search_path(side->library, modules) &&
                 OSSL_PROVIDER_load(side->library, "cipherlane") != NULL &&
                 EVP_set_default_properties(side->library, "?provider=cipherlane");
    }
    if (!loaded) return NULL;
    side->keys[0] = EVP_PKEY_Q_keygen(side->library, NULL, "EC", "P-256");
    side->keys[1] = EVP_PKEY_Q_keygen(side->library, NULL, "SM2");
    if (side->keys[0] == NULL || side->keys[1] == NULL) return NULL;
    side->certificates[0] = certificate(side->library, side->keys[0], "SHA256");
    side->certificates[1] = certificate(side->library, side->keys[1], "SM3");
    return side->certificates[0] != NULL && side->certificates[1] != NULL ? side : NULL;
}

void side_close(struct side *side) {
    for (int i = 0; i < 2; i++) {
        X509_free(side->certificates[i]);
        EVP_PKEY_free(side->keys[i]);
    }
    OSSL_LIB_CTX_free(side->library);
    free(side);
}

const char *side_takes(const struct side *side, const char *cipher) {
    static char name[64];
    EVP_CIPHER *it = EVP_CIPHER_fetch(side->library, cipher, NULL);
    if (it == NULL) return "nobody";
    const char *provider = OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(it));
    strncpy(name, provider, sizeof name - 1);
    EVP_CIPHER_free(it);
    return name;
}

/* An error of the queue, if anything is not as asked. */
static int settle(SSL_CTX *context, const struct suite *suite) {
    const int sm = is_sm(suite), tls13 = suite->version == TLS1_3_VERSION;
    /* The curve and the signature that RFC 8998, 3.2 and 3.3, demand of its suites. */
    const char *groups = sm ? "curveSM2" : "P-256:X25519";
    const char *signatures = sm ? "sm2sig_sm3" : "ECDSA+SHA256";
    if (!suite->etm) SSL_CTX_set_options(context, SSL_OP_NO_ENCRYPT_THEN_MAC);
    /* Tags of eight bytes are below level 1. */
    SSL_CTX_set_security_level(context, 0);
    return SSL_CTX_set_min_proto_version(context, suite->version) &&
           SSL_CTX_set_max_proto_version(context, suite->version) &&
           (tls13 ? SSL_CTX_set_ciphersuites(context, suite->name)
                  : SSL_CTX_set_cipher_list(context, suite->name)) &&
           SSL_CTX_set1_groups_list(context, groups) &&
           SSL_CTX_set1_sigalgs_list(context, signatures);
}

SSL_CTX *side_context(const struct side *side, const struct suite *suite, int server,
                      const struct side *trusted) {
    const int which = is_sm(suite), datagrams = suite->version == DTLS1_2_VERSION;
    SSL_CTX *context =
        SSL_CTX_new_ex(side->library, NULL, datagrams ? DTLS_method() : TLS_method());
    if (context == NULL || !settle(context, suite)) goto fault;
    if (datagrams) SSL_CTX_set_options(context, SSL_OP_NO_QUERY_MTU);
    if (server) {
        if (SSL_CTX_use_certificate(context, side->certificates[which]) != 1 ||
            SSL_CTX_use_PrivateKey(context, side->keys[which]) != 1 ||
            !SSL_CTX_set_session_id_context(context, (const unsigned char *)"tls", 3)) {
            goto fault;
        }
    } else {
        /* The other side's library context is not this one's: the certificate goes as bytes. */
        unsigned char *bytes = NULL;
        const int length = i2d_X509(trusted->certificates[which], &bytes);
        const unsigned char *at = bytes;
        X509 *own = X509_new_ex(side->library, NULL);
        const int done = length > 0 && own != NULL && d2i_X509(&own, &at, length) != NULL &&
                         X509_STORE_add_cert(SSL_CTX_get_cert_store(context), own);
        X509_free(own);
        OPENSSL_free(bytes);
        if (!done) goto fault;
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT);
    }
    return context;
fault:
    SSL_CTX_free(context);
    return NULL;
}
