/* Runs a program and lets one of its calls of the system that have to do with files go wrong.
 *
 *   tracer fail N ERRNO LOG PROGRAM…   the Nth call is not made and returns the error
 *   tracer stay N ERRNO LOG PROGRAM…   the same, and all later ones that write, as on a full disk
 *   tracer short N 0 LOG PROGRAM…      the Nth call, if it writes, writes one byte
 *   tracer cut N 0 LOG PROGRAM…        before the Nth call the power goes: the program is killed, and
 *                                      of every file all bytes that no fsync followed are dropped
 *
 * Calls are counted from the first one on that names a file by a relative path: what the loader and
 * the runtime do before is not the program's. LOG gets how many there were, the name of the one that was
 * hit and, if the program ended well, whether all that it wrote and named had been synced. Ends as the
 * program does, or with 99 after a cut. For Linux on x86-64; a library that is loaded before others
 * would not do, as the program makes some calls without the C library. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH0 = 1, PATH1 = 2, WRITES = 4, SYNCS = 8, NAMES = 16, FD = 32 };

static const struct call {
    long number;
    int sort;
    const char *name;
} CALLS[] = {
    {SYS_open, PATH0, "open"},
    {SYS_openat, PATH1, "openat"},
    {SYS_read, FD, "read"},
    {SYS_pread64, FD, "pread64"},
    {SYS_write, FD | WRITES, "write"},
    {SYS_pwrite64, FD | WRITES, "pwrite64"},
    {SYS_writev, FD | WRITES, "writev"},
    {SYS_ftruncate, FD | WRITES, "ftruncate"},
    {SYS_fallocate, FD | WRITES, "fallocate"},
    {SYS_copy_file_range, WRITES, "copy_file_range"},
    {SYS_sendfile, FD | WRITES, "sendfile"},
    {SYS_fsync, FD | SYNCS, "fsync"},
    {SYS_fdatasync, FD | SYNCS, "fdatasync"},
    {SYS_lseek, FD, "lseek"},
    {SYS_fchmod, FD, "fchmod"},
    {SYS_utimensat, 0, "utimensat"},
    {SYS_link, NAMES, "link"},
    {SYS_linkat, NAMES, "linkat"},
    {SYS_rename, PATH0 | NAMES, "rename"},
    {SYS_renameat, PATH1 | NAMES, "renameat"},
    {SYS_renameat2, PATH1 | NAMES, "renameat2"},
    {SYS_unlink, PATH0, "unlink"},
    {SYS_unlinkat, PATH1, "unlinkat"},
    {SYS_mkdir, PATH0, "mkdir"},
    {SYS_mkdirat, PATH1, "mkdirat"},
    {SYS_stat, PATH0, "stat"},
    {SYS_lstat, PATH0, "lstat"},
    {SYS_fstat, FD, "fstat"},
    {SYS_newfstatat, PATH1, "newfstatat"},
    {SYS_statx, PATH1, "statx"},
    {SYS_readlink, PATH0, "readlink"},
    {SYS_readlinkat, PATH1, "readlinkat"},
    {SYS_getdents64, FD, "getdents64"},
};

/* What became of a call is known when it returns: by thread, until then. */
static struct thread {
    pid_t id;
    const struct call *call;
    unsigned long long first;
    /* What it returns instead of being made, if it is replaced. */
    int replaced;
    int value;
} threads[256];

/* Files that were written to, and how much of each is on the disk. */
static struct file {
    dev_t device;
    ino_t inode;
    off_t synced;
    int dirty;
} files[1024];
static size_t known;
static int names_pending;

static void fail(const char *what)
{
    perror(what);
    exit(98);
}

static struct thread *thread_of(pid_t id)
{
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        if (threads[i].id == id || threads[i].id == 0) {
            threads[i].id = id;
            return &threads[i];
        }
    fprintf(stderr, "tracer: too many threads\n");
    exit(98);
}

static const struct call *call_of(unsigned long long number)
{
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
        if ((unsigned long long)CALLS[i].number == number)
            return &CALLS[i];
    return NULL;
}

/* Whether a text of the program begins as a relative path does. */
static int is_relative(pid_t id, unsigned long long place)
{
    errno = 0;
    long word = ptrace(PTRACE_PEEKDATA, id, place, 0);
    char first = (char)word;
    return errno == 0 && first != '/' && first != 0;
}

static int stat_of(pid_t id, unsigned long long fd, struct stat *stat_)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%llu", id, fd);
    return stat(path, stat_) == 0;
}

static struct file *file_of(const struct stat *it, int make)
{
    for (size_t i = 0; i < known; i++)
        if (files[i].inode == it->st_ino && files[i].device == it->st_dev)
            return &files[i];
    if (!make)
        return NULL;
    if (known == sizeof files / sizeof *files) {
        fprintf(stderr, "tracer: too many files\n");
        exit(98);
    }
    files[known] = (struct file){it->st_dev, it->st_ino, it->st_size, 0};
    return &files[known++];
}

/* A call of a file that is about to be made: how long the file was before. */
static void begins(pid_t id, const struct call *call, unsigned long long fd)
{
    struct stat it;
    if (call->sort & WRITES && call->sort & FD && stat_of(id, fd, &it) && S_ISREG(it.st_mode))
        file_of(&it, 1);
}

static void done(pid_t id, const struct call *call, unsigned long long fd)
{
    struct stat it;
    if (call->sort & NAMES)
        names_pending = 1;
    if (!(call->sort & FD) || !stat_of(id, fd, &it))
        return;
    if (call->sort & SYNCS && S_ISDIR(it.st_mode))
        names_pending = 0;
    struct file *file = S_ISREG(it.st_mode) ? file_of(&it, call->sort & WRITES) : NULL;
    if (file && call->sort & WRITES)
        file->dirty = 1;
    if (file && call->sort & SYNCS) {
        file->dirty = 0;
        file->synced = it.st_size;
    }
}

/* Every file in this folder and those below as the disk has it; how many had bytes to lose. */
static int drop_in(const char *folder, int drop)
{
    int dropped = 0;
    DIR *open = opendir(folder);
    if (!open)
        fail(folder);
    for (struct dirent *entry; (entry = readdir(open));) {
        char path[4096];
        struct stat it;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &it))
            fail(path);
        if (S_ISDIR(it.st_mode))
            dropped += drop_in(path, drop);
        struct file *file = S_ISREG(it.st_mode) ? file_of(&it, 0) : NULL;
        if (file && file->dirty) {
            dropped++;
            if (drop && truncate(path, file->synced))
                fail(path);
        }
    }
    closedir(open);
    return dropped;
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 98;
    const char *mode = argv[1];
    long wanted = atol(argv[2]), count = 0;
    int error = atoi(argv[3]), started = 0, staying = 0;
    const char *hit = "nothing";
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(argv[5], argv + 5);
        _exit(97);
    }
    int status, ended = 98;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        fail("the program");
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, 0, options) || ptrace(PTRACE_SYSCALL, child, 0, 0))
        fail("ptrace");
    for (;;) {
        pid_t id = waitpid(-1, &status, __WALL);
        if (id < 0)
            break;
        struct thread *thread = thread_of(id);
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            thread->id = -1;
            if (id == child)
                ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status), given = 0;
        if (signal == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info info;
            if (ptrace(PTRACE_GET_SYSCALL_INFO, id, sizeof info, &info) < 0)
                continue; /* it was killed meanwhile */
            struct user_regs_struct registers;
            if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
                const struct call *call = call_of(info.entry.nr);
                unsigned long long *arguments = (unsigned long long *)info.entry.args;
                thread->call = call;
                thread->first = arguments[0];
                thread->replaced = 0;
                if (call && ((call->sort & PATH0 && is_relative(id, arguments[0])) ||
                             (call->sort & PATH1 && is_relative(id, arguments[1]))))
                    started = 1;
                /* What goes to standard error says what happened, and is no output. */
                int counts = started && call && !(call->sort & FD && arguments[0] == 2);
                count += counts;
                int now = counts && count == wanted;
                if (now)
                    hit = call->name;
                if (now && !strcmp(mode, "cut")) {
                    kill(child, SIGKILL);
                    while (waitpid(-1, &status, __WALL) > 0)
                        ;
                    int dropped = drop_in(".", 1);
                    FILE *log = fopen(argv[4], "w");
                    if (!log)
                        fail(argv[4]);
                    fprintf(log, "%ld %s %d\n", count, hit, dropped);
                    fclose(log);
                    return 99;
                }
                if (now && !strcmp(mode, "short") && call->sort & WRITES && arguments[2] > 1 &&
                    (call->number == SYS_write || call->number == SYS_pwrite64)) {
                    ptrace(PTRACE_GETREGS, id, 0, &registers);
                    registers.rdx = 1;
                    ptrace(PTRACE_SETREGS, id, 0, &registers);
                }
                /* A process that is not to be dumped hides its open files, even from its tracer. */
                int hides = info.entry.nr == SYS_prctl && arguments[0] == PR_SET_DUMPABLE;
                int fails = now && (!strcmp(mode, "fail") || !strcmp(mode, "stay"));
                staying |= fails && !strcmp(mode, "stay");
                fails |= counts && staying && call->sort & WRITES;
                if (fails || hides) {
                    ptrace(PTRACE_GETREGS, id, 0, &registers);
                    registers.orig_rax = -1;
                    ptrace(PTRACE_SETREGS, id, 0, &registers);
                    thread->replaced = 1;
                    thread->value = hides ? 0 : -error;
                } else if (call) {
                    begins(id, call, arguments[0]);
                }
            } else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
                if (thread->replaced) {
                    ptrace(PTRACE_GETREGS, id, 0, &registers);
                    registers.rax = (unsigned long long)(long long)thread->value;
                    ptrace(PTRACE_SETREGS, id, 0, &registers);
                    thread->replaced = 0;
                } else if (thread->call && !info.exit.is_error) {
                    done(id, thread->call, thread->first);
                }
                thread->call = NULL;
            }
        } else if (signal != SIGTRAP && signal != SIGSTOP) {
            given = signal; /* meant for the program */
        }
        ptrace(PTRACE_SYSCALL, id, 0, given);
    }
    int lost = drop_in(".", 0);
    FILE *log = fopen(argv[4], "w");
    if (!log)
        fail(argv[4]);
    fprintf(log, "%ld %s %d%s\n", count, hit, lost, names_pending ? " names-not-synced" : "");
    fclose(log);
    return ended;
}
