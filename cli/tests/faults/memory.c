/* Loaded before the C library: the allocation whose number is in CIPHERLANE_FAIL_AT, and all behind it
 * unless CIPHERLANE_FAIL_ONCE is there, get nothing. Only calls from the shared object whose path has the
 * words of CIPHERLANE_FAIL_FROM count, if that is there. How many there were goes to the file in
 * CIPHERLANE_FAIL_LOG when the program ends. A program that does not come to an end is ended by the signal
 * XCPU. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long count;
static long fail_at = -1;
static int once;
static const char *from;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("CIPHERLANE_FAIL_AT");
    count = 0;
    fail_at = text ? atol(text) : -1;
    once = getenv("CIPHERLANE_FAIL_ONCE") != NULL;
    from = getenv("CIPHERLANE_FAIL_FROM");
    const struct rlimit seconds = {20, 25};
    if (setrlimit(RLIMIT_CPU, &seconds))
        _exit(97);
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

/* Whether a place lies in an object that counts; 1 ends the search. */
static int within(struct dl_phdr_info *object, size_t size, void *data)
{
    uintptr_t place = (uintptr_t)data;
    (void)size;
    if (!strstr(object->dlpi_name, from))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && place - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return 1;
    }
    return 0;
}

static int fails(void *caller)
{
    if (from && !dl_iterate_phdr(within, caller))
        return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (fail_at < 0 || number < fail_at || (once && number > fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}
