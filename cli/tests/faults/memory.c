/* Loaded before the C library: the allocation whose number is in CIPHERLANE_FAIL_AT, and all behind it,
 * get nothing. How many there were goes to the file in CIPHERLANE_FAIL_LOG when the program ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long count;
static long fail_at = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("CIPHERLANE_FAIL_AT");
    count = 0;
    fail_at = text ? atol(text) : -1;
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("CIPHERLANE_FAIL_LOG");
    char text[32];
    long all = count;
    fail_at = -1;
    int file = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        int length = snprintf(text, sizeof text, "%ld", all);
        if (write(file, text, (size_t)length) != length)
            _exit(98);
        close(file);
    }
}

static int fails(void)
{
    long number = atomic_fetch_add(&count, 1) + 1;
    if (fail_at < 0 || number < fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}
