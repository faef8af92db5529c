/* Files in the shape of RocksDB's EncryptedEnv over OpenSSL's EVP: counter mode, read and written at any
 * offset. Which provider's cipher that is, OPENSSL_CONF says; nothing here names one.
 *
 *   cc -O2 encrypted_env.c -lcrypto -o encrypted_env
 *   encrypted_env write FILE CIPHER KEY <data    CIPHER as OpenSSL calls it: SM4-CTR, AES-256-CTR
 *   encrypted_env read FILE KEY OFFSET LENGTH
 *   encrypted_env figures FILE CIPHER            MB/s of writing and of reading, and what was read
 *
 * The file: a prefix of one page (PREFIX bytes: the name of the format, the cipher's in 24 bytes, an IV of 16
 * bytes that was drawn for the file, zeros), then the data. Byte p of the data is encrypted by byte p of the
 * keystream, whose block p / 16 is that of the counter IV + p / 16 (128 bits, big-endian), as in TiKV. Nothing
 * is authenticated, and a byte that is written twice gives the difference of both away to who has seen both:
 * such files are written once, from their beginning on, as a store of sorted tables does. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PREFIX = 4096, NAME = 24, BLOCK = 16, PIECE = 65536 };
static const char FORMAT[8] = "ctr-env1";

struct file {
    int descriptor;
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *context;
    unsigned char key[32], iv[BLOCK];
};

static void fail(const char *what) {
    fprintf(stderr, "encrypted_env: %s\n", what);
    exit(1);
}

/* Encrypts or decrypts bytes of the file in place: BlockAccessCipherStream::Encrypt and Decrypt. The key is
 * set again, as a store does that makes an object of its library for a block. */
static void apply(struct file *file, uint64_t offset, unsigned char *data, size_t length) {
    unsigned char counter[BLOCK], skipped[BLOCK] = {0};
    uint64_t carry = offset / BLOCK;
    for (int i = BLOCK - 1; i >= 0; i--) {
        carry += file->iv[i];
        counter[i] = (unsigned char)carry;
        carry >>= 8;
    }
    int done, skip = (int)(offset % BLOCK);
    if (!EVP_EncryptInit_ex2(file->context, file->cipher, file->key, counter, NULL) ||
        !EVP_EncryptUpdate(file->context, skipped, &done, skipped, skip) ||
        !EVP_EncryptUpdate(file->context, data, &done, data, (int)length))
        fail("OpenSSL refuses");
}

static void settle(struct file *file, const char *cipher) {
    file->cipher = EVP_CIPHER_fetch(NULL, cipher, NULL);
    file->context = EVP_CIPHER_CTX_new();
    if (!file->cipher || !file->context || EVP_CIPHER_get_mode(file->cipher) != EVP_CIPH_CTR_MODE ||
        EVP_CIPHER_get_iv_length(file->cipher) != BLOCK)
        fail("no such cipher in counter mode");
}

static void create(struct file *file, const char *path, const char *cipher) {
    unsigned char prefix[PREFIX] = {0};
    settle(file, cipher);
    if (strlen(cipher) >= NAME || RAND_bytes(file->iv, BLOCK) != 1)
        fail("no IV");
    memcpy(prefix, FORMAT, sizeof FORMAT);
    strcpy((char *)prefix + sizeof FORMAT, cipher);
    memcpy(prefix + sizeof FORMAT + NAME, file->iv, BLOCK);
    file->descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file->descriptor < 0 || pwrite(file->descriptor, prefix, PREFIX, 0) != PREFIX)
        fail("the file can't be written");
}

static void open_it(struct file *file, const char *path) {
    unsigned char prefix[PREFIX];
    file->descriptor = open(path, O_RDONLY);
    if (file->descriptor < 0 || pread(file->descriptor, prefix, PREFIX, 0) != PREFIX ||
        memcmp(prefix, FORMAT, sizeof FORMAT) || prefix[sizeof FORMAT + NAME - 1])
        fail("no file of this format");
    settle(file, (char *)prefix + sizeof FORMAT);
    memcpy(file->iv, prefix + sizeof FORMAT + NAME, BLOCK);
}

static void write_at(struct file *file, uint64_t offset, unsigned char *data, size_t length) {
    apply(file, offset, data, length);
    if (pwrite(file->descriptor, data, length, (off_t)(PREFIX + offset)) != (ssize_t)length)
        fail("the file can't be written");
}

static size_t read_at(struct file *file, uint64_t offset, unsigned char *data, size_t length) {
    ssize_t there = pread(file->descriptor, data, length, (off_t)(PREFIX + offset));
    if (there < 0)
        fail("the file can't be read");
    apply(file, offset, data, (size_t)there);
    return (size_t)there;
}

static void key(struct file *file, const char *digits) {
    for (int i = 0; i < 32 && sscanf(digits + 2 * i, "%2hhx", &file->key[i]) == 1 && digits[2 * i + 2]; i++) {
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* In the shape of db_bench's fillseq, readseq and readrandom, in the page cache; medians of five. */
static int by_size(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void figures(struct file *file, const char *path, const char *cipher) {
    static unsigned char data[PIECE];
    const uint64_t total = 64 << 20;
    uint64_t digest = 14695981039346656037u;
    const struct { const char *name; size_t size, count; } tasks[] = {
        {"write, 64 KiB", PIECE, total / PIECE},     {"read on, 64 KiB", PIECE, total / PIECE},
        {"read anywhere, 16 KiB", 16384, 4000}, {"read anywhere, 4 KiB", 4096, 16000},
        {"read anywhere, 256 B", 256, 64000},
    };
    create(file, path, cipher);
    for (size_t task = 0; task < sizeof tasks / sizeof *tasks; task++) {
        double rates[5];
        for (int pass = 0; pass < 5; pass++) {
            uint64_t random = 1, offset = 0;
            double began = now();
            for (size_t i = 0; i < tasks[task].count; i++) {
                if (task == 0) {
                    memset(data, (int)i, tasks[task].size);
                    write_at(file, offset, data, tasks[task].size);
                } else {
                    read_at(file, offset, data, tasks[task].size);
                    digest = (digest ^ data[i % tasks[task].size]) * 1099511628211u;
                }
                random = random * 6364136223846793005u + 1442695040888963407u;
                offset = task < 2 ? offset + PIECE : (random >> 20) % (total - PIECE);
            }
            rates[pass] = 1e-6 * (double)(tasks[task].size * tasks[task].count) / (now() - began);
        }
        qsort(rates, 5, sizeof *rates, by_size);
        printf("%s %s: %.0f MB/s\n", cipher, tasks[task].name, rates[2]);
    }
    printf("%s by %s read %016llx\n", cipher,
           OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(file->cipher)), (unsigned long long)digest);
}

int main(int count, char **words) {
    static unsigned char data[PIECE];
    struct file file = {0};
    size_t length;
    if (count == 5 && !strcmp(words[1], "write")) {
        create(&file, words[2], words[3]);
        key(&file, words[4]);
        for (uint64_t offset = 0; (length = fread(data, 1, 1000, stdin)) > 0; offset += length)
            write_at(&file, offset, data, length);
    } else if (count == 6 && !strcmp(words[1], "read")) {
        uint64_t offset = strtoull(words[4], NULL, 10), left = strtoull(words[5], NULL, 10);
        open_it(&file, words[2]);
        key(&file, words[3]);
        while (left && (length = read_at(&file, offset, data, left < PIECE ? left : PIECE)) > 0) {
            fwrite(data, 1, length, stdout);
            offset += length;
            left -= length;
        }
    } else if (count == 4 && !strcmp(words[1], "figures")) {
        figures(&file, words[2], words[3]);
    } else {
        fail("write FILE CIPHER KEY | read FILE KEY OFFSET LENGTH | figures FILE CIPHER");
    }
    return 0;
}
