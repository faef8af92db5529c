/* Opens the jar's native library in a process without Java, and calls what Java would call, by a table of
   JNI that has the four functions which the methods below ask for. It prints the level and how many
   operations there are, and ends with 1 after saying what went wrong. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array of Java's. */
struct array {
    int length;
    unsigned char *bytes;
};

/* Places in the table, as the JNI specification numbers them. */
enum {
    GET_ARRAY_LENGTH = 171,
    NEW_BYTE_ARRAY = 176,
    GET_BYTE_ARRAY_REGION = 200,
    SET_BYTE_ARRAY_REGION = 208,
    PLACES = 240
};

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* In all other places: an exception, which no call below should end with, begins with one of them. */
static void absent(void) { fail("a function of JNI that is not expected"); }

static int length(void *env, struct array *array) {
    (void)env;
    return array->length;
}

static struct array *made(void *env, int length) {
    (void)env;
    struct array *array = malloc(sizeof *array);
    if (!array || !(array->bytes = calloc(1, (size_t)length + 1))) fail("no memory");
    array->length = length;
    return array;
}

static unsigned char *range(struct array *array, int from, int count) {
    if (from < 0 || count < 0 || count > array->length - from) fail("a range outside of its array");
    return array->bytes + from;
}

static void get(void *env, struct array *array, int from, int count, void *to) {
    (void)env;
    memcpy(to, range(array, from, count), (size_t)count);
}

static void set(void *env, struct array *array, int from, int count, const void *bytes) {
    (void)env;
    memcpy(range(array, from, count), bytes, (size_t)count);
}

static void *library;

static void *function(const char *name) {
    void *found = dlsym(library, name);
    if (!found) fail(dlerror());
    return found;
}

static struct array *text(const char *words) {
    struct array *array = made(NULL, (int)strlen(words));
    memcpy(array->bytes, words, strlen(words));
    return array;
}

int main(int count, char **words) {
    if (count != 2) fail("usage: java LIBRARY");
    library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(dlerror());

    void *table[PLACES];
    for (int place = 0; place < PLACES; place++) table[place] = (void *)absent;
    table[GET_ARRAY_LENGTH] = (void *)length;
    table[NEW_BYTE_ARRAY] = (void *)made;
    table[GET_BYTE_ARRAY_REGION] = (void *)get;
    table[SET_BYTE_ARRAY_REGION] = (void *)set;
    void **pointer = table;
    void *env = &pointer;

    struct array *(*named)(void *, void *) = function("Java_org_cipherlane_Native_level");
    struct array *level = named(env, NULL);
    named = function("Java_org_cipherlane_Native_listing");
    int operations = 0;
    struct array *listing = named(env, NULL);
    for (int at = 0; at < listing->length; at++) operations += listing->bytes[at] == '\n';
    if (level->length == 0 || operations < 100) fail("a level or operations are missing");

    /* GB/T 32907-2016, A.1: the key is the plaintext. */
    static const unsigned char plain[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                            0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
    static const unsigned char cipher[16] = {0x68, 0x1e, 0xdf, 0x34, 0xd2, 0x06, 0x96, 0x5e,
                                             0x86, 0xb3, 0xe9, 0x4f, 0x53, 0x6e, 0x42, 0x46};
    struct array *key = made(NULL, 16);
    memcpy(key->bytes, plain, 16);
    long long (*new)(void *, void *, long long, void *, void *, void *, void *, int, int, int, int) =
        function("Java_org_cipherlane_Native_cipherNew");
    int (*update)(void *, void *, long long, void *, int, int, void *, int, int) =
        function("Java_org_cipherlane_Native_cipherUpdate");
    void (*gone)(void *, void *, long long) = function("Java_org_cipherlane_Native_cipherFree");
    struct array *name = text("sm4");
    long long encrypts = new(env, NULL, 0, name, text("ecb-encrypt"), key, NULL, 0, -1, -1, -1);
    long long decrypts = new(env, NULL, 0, name, text("ecb-decrypt"), key, NULL, 0, -1, -1, -1);
    struct array *out = made(NULL, 32);
    int written = update(env, NULL, encrypts, key, 0, 16, out, 0, 32);
    if (written != 16 || memcmp(out->bytes, cipher, 16) != 0) fail("SM4 is wrong");

    /* Without JNI, as Java 22 calls: many blocks, there and back where they lie. */
    int (*direct)(long long, void *, int, int, void *, int, int) = function("cipherlane_java_cipher");
    static unsigned char data[1 << 16], before[1 << 16];
    for (unsigned at = 0; at < sizeof data; at++) before[at] = (unsigned char)(at * 7 + at / 251);
    memcpy(before, plain, 16);
    memcpy(data, before, sizeof data);
    written = direct(encrypts, data, 0, sizeof data, data, 0, sizeof data);
    if (written != sizeof data || memcmp(data, cipher, 16) != 0) fail("many blocks are wrong");
    written = direct(decrypts, data, 0, sizeof data, data, 0, sizeof data);
    if (written != sizeof data || memcmp(data, before, sizeof data) != 0) fail("no way back");
    gone(env, NULL, encrypts);
    gone(env, NULL, decrypts);
    printf("level %.*s, %d operations, SM4\n", level->length, (char *)level->bytes, operations);
    return 0;
}
