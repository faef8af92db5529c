#include "server.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admit.h"
#include "clock.h"
#include "input.h"
#include "ring.h"
#include "sample.h"

/* The most bytes that the messages of a random run may have together. */
static const uint64_t MAX_RANDOM_BYTES = 1 << 30;

enum { MAX_SAMPLES = 10001 };

static void say(FILE *out, verdict verdict, const char *reason) {
    fputs(verdict == REFUSED ? "refused" : "error", out);
    line_field(out, "reason", reason);
}

static void describe(FILE *out) {
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    fputs("ok", out);
    line_field(out, "engine", LADDER_ENGINE);
    line_field(out, "version", LADDER_VERSION);
    line_field(out, "build", LADDER_COMPILER " " __VERSION__ " " LADDER_FLAGS);
    line_field(out, "path", path);
    const rung *it;
    for (size_t i = 0; (it = rung_at(i)) != NULL; i++) {
        if (find_rung(it->algorithm, it->operation, NULL) != it)
            continue;
        /* One offer an operation: its rungs are its levels. */
        fprintf(out, " offer=%s/%s:", it->algorithm, it->operation);
        const rung *other;
        for (size_t j = i; (other = rung_at(j)) != NULL; j++)
            if (find_rung(it->algorithm, it->operation, other->name) == other &&
                strcmp(it->algorithm, other->algorithm) == 0 &&
                strcmp(it->operation, other->operation) == 0)
                fprintf(out, "%s%s", j == i ? "" : ",", other->name);
        fprintf(out, ":init,key,stream,packet,message,batch%s:%zu:%zu:%zu:0",
                it->latency ? ",latency" : "", it->key_bytes, it->iv_bytes, it->granule);
    }
}

/* The digest of a task's outputs, by working on every message once. */
static verdict digest(const task *task, const rung *rung, char out[65], char reason[MAX_REASON]) {
    /* Set-up leaves no output: what it set up is put to work. */
    model single = task_single(task);
    uint64_t size = is_setup(single) ? SETUP_CHECK_BYTES : task_call_bytes(task);
    single = single == INIT ? PACKET : single == KEY ? MESSAGE : single;
    ring ring;
    verdict done = ADMITTED;
    if (ring_make(&ring, rung, task, single, size)) {
        ring_pass(&ring);
        ring_digest(&ring, out);
    } else {
        snprintf(reason, MAX_REASON, "not enough memory or threads for %" PRIu64 " bytes", size);
        done = REFUSED;
    }
    ring_free(&ring);
    return done;
}

static verdict check(const line *line, FILE *out, char reason[MAX_REASON]) {
    task task;
    const rung *rung;
    char hex[65];
    if (!line_only(line, task_keys, reason) || !task_read(line, &task, reason))
        return WRONG;
    verdict verdict = admit(&task, &rung, reason);
    verdict = verdict == ADMITTED ? digest(&task, rung, hex, reason) : verdict;
    if (verdict == ADMITTED) {
        fputs("ok", out);
        line_field(out, "digest", hex);
    }
    return verdict;
}

static const char *const *with(const char *const *more) {
    static const char *all[MAX_FIELDS + 1];
    size_t count = 0;
    for (size_t i = 0; task_keys[i] != NULL; i++)
        all[count++] = task_keys[i];
    for (; *more != NULL; more++)
        all[count++] = *more;
    all[count] = NULL;
    return all;
}

static verdict random_check(const line *line, FILE *out, char reason[MAX_REASON]) {
    static const char *const more[] = {"random", "least", "granule", NULL};
    task task;
    const rung *rung;
    uint64_t count, least, granule;
    if (!line_only(line, with(more), reason) || !task_read(line, &task, reason) ||
        !line_number(line, "random", 1, 1, 10000, &count, reason) ||
        !line_number(line, "least", 0, 0, task.size, &least, reason) ||
        !line_number(line, "granule", 1, 1, INT_MAX, &granule, reason))
        return WRONG;
    verdict verdict = admit(&task, &rung, reason);
    if (verdict != ADMITTED)
        return verdict;
    if (task_single(&task) != PACKET && task_single(&task) != MESSAGE) {
        snprintf(reason, MAX_REASON, "random messages are of models packet and message");
        return REFUSED;
    }
    if (granule % rung->granule != 0 || least % rung->granule != 0) {
        snprintf(reason, MAX_REASON, "lengths of random messages must be whole blocks of %zu",
                 rung->granule);
        return REFUSED;
    }
    if (task.size > MAX_RANDOM_BYTES / count) {
        snprintf(reason, MAX_REASON, "random messages may have %" PRIu64 " bytes together",
                 MAX_RANDOM_BYTES);
        return REFUSED;
    }
    ring ring;
    char hex[65];
    if (ring_random(&ring, rung, &task, (size_t)count, least, granule)) {
        ring_pass(&ring);
        ring_digest(&ring, hex);
        fputs("ok", out);
        line_field(out, "digest", hex);
    } else {
        snprintf(reason, MAX_REASON, "not enough memory for %" PRIu64 " messages", count);
        verdict = REFUSED;
    }
    ring_free(&ring);
    return verdict;
}

static void report(FILE *out, const task *task, const char *hex, const series *series,
                   const double chain[2], long long turns) {
    fputs("ok", out);
    line_field(out, "clock", CLOCK_NAME);
    line_field(out, "digest", hex);
    fprintf(out, " repeats=%" PRIu64 " call_bytes=%" PRIu64 " chain=%.6f,%.6f", series->repeats,
            task_call_bytes(task), chain[0], chain[1]);
    if (turns >= 0)
        fprintf(out, " switches=%lld", turns);
    fputs(" samples=", out);
    for (uint64_t i = 0; i < series->count; i++)
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : ",", series->samples[i]);
}

static verdict measure(const line *line, FILE *out, char reason[MAX_REASON]) {
    static const char *const more[] = {"samples", "budget_us", NULL};
    static sampler sampler;
    static uint64_t samples[MAX_SAMPLES];
    task task;
    const rung *rung;
    uint64_t asked, budget;
    char hex[65];
    if (!line_only(line, with(more), reason) || !task_read(line, &task, reason) ||
        !line_number(line, "samples", 21, 3, MAX_SAMPLES, &asked, reason) ||
        !line_number(line, "budget_us", 0, 0, INT64_MAX, &budget, reason))
        return WRONG;
    if (asked % 2 == 0) {
        snprintf(reason, MAX_REASON, "`samples` is `%" PRIu64 "`; allowed: an odd number", asked);
        return WRONG;
    }
    verdict verdict = admit(&task, &rung, reason);
    verdict = verdict == ADMITTED ? digest(&task, rung, hex, reason) : verdict;
    if (verdict != ADMITTED)
        return verdict;
    ring ring;
    if (!ring_make(&ring, rung, &task, task_single(&task), task_call_bytes(&task))) {
        snprintf(reason, MAX_REASON, "not enough memory or threads");
        ring_free(&ring);
        return REFUSED;
    }
    if (sampler.hertz == 0)
        sampler = sampler_new();
    /* Of a mix every sample takes all batches equally often. */
    uint64_t unit = task.imix ? ring.count / ring.each : 1;
    double chain[2];
    chain[0] = sampler_chain(&sampler);
    long long before = sampler_turns();
    series series = sampler_take(&sampler, (call){ring_next, &ring}, unit, asked, budget, samples);
    long long turns = before < 0 ? -1 : sampler_turns() - before;
    chain[1] = sampler_chain(&sampler);
    report(out, &task, hex, &series, chain, turns);
    ring_free(&ring);
    return ADMITTED;
}

void server_answer(char *text, FILE *out) {
    char reason[MAX_REASON] = "";
    line line;
    verdict verdict = WRONG;
    if (line_read(text, &line, reason)) {
        if (strcmp(line.word, "describe") == 0 && line.fields == 0) {
            describe(out);
            verdict = ADMITTED;
        } else if (strcmp(line.word, "check") == 0) {
            bool random = line_text(&line, "random", NULL) != NULL;
            verdict = random ? random_check(&line, out, reason) : check(&line, out, reason);
        } else if (strcmp(line.word, "measure") == 0) {
            verdict = measure(&line, out, reason);
        } else {
            snprintf(reason, MAX_REASON, "unknown verb `%.40s`; known: describe, check, measure",
                     line.word);
        }
    }
    if (verdict != ADMITTED)
        say(out, verdict, reason);
    fputc('\n', out);
}
