/* What the engine `wolfssl` has of wolfSSL: the ciphers alone, with the assembly that the library
 * chooses by the CPU when it runs. */
#ifndef CIPHERLANE_WOLFSSL_SETTINGS_H
#define CIPHERLANE_WOLFSSL_SETTINGS_H

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM

#define WOLFSSL_X86_64_BUILD
#define WOLFSSL_AESNI
#define USE_INTEL_SPEEDUP

#define HAVE_AESGCM
#define GCM_TABLE_4BIT
#define HAVE_AESCCM
#define HAVE_AES_ECB
#define HAVE_AES_CBC
#define HAVE_AES_DECRYPT
#define WOLFSSL_AES_COUNTER
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_AES_CFB
#define WOLFSSL_AES_OFB
#define WOLFSSL_AES_XTS
#define WOLFSSL_CMAC
#define WC_RC2
#define WOLFSSL_ALLOW_RC4

#define WC_NO_RNG
#define NO_ASN
#define NO_CERTS
#define NO_DES3
#define NO_DH
#define NO_DSA
#define NO_HMAC
#define NO_KDF
#define NO_MD4
#define NO_MD5
#define NO_OLD_TLS
#define NO_PWDBASED
#define NO_RSA
#define NO_SHA
#define NO_SHA256
#define NO_SIG_WRAPPER
#define WOLFSSL_NO_HASH_RAW

#endif
