/* The provider of Cipherlane inside of a program: linked statically, and made known by
 *
 *     OSSL_PROVIDER_add_builtin(NULL, "cipherlane", cipherlane_provider_init);
 *     OSSL_PROVIDER_load(NULL, "cipherlane");
 *
 * OpenSSL 3.0 or later. */
#ifndef CIPHERLANE_PROVIDER_H
#define CIPHERLANE_PROVIDER_H

#include <openssl/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An OSSL_provider_init_fn. */
int cipherlane_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                             const OSSL_DISPATCH **out, void **provctx);

#ifdef __cplusplus
}
#endif

#endif
