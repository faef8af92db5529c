#include "task.h"

#include <string.h>

#include "input.h"

const char *const model_names[MODELS] = {"init",    "key",   "stream", "packet",
                                         "message", "batch", "latency"};

const char *const task_keys[] = {"algorithm", "operation", "model",     "level",       "size",
                                 "messages",  "keys",      "mix",       "threads",     "placement",
                                 "nonce_bytes", "aad_bytes", "seed",    "buffer",      NULL};

/* The place of a word in a list, which ends with null; -1 if it is not there. */
static int choice(const line *it, const char *key, const char *usual, const char *const *allowed,
                  char reason[MAX_REASON]) {
    const char *value = line_text(it, key, usual);
    for (int i = 0; allowed[i] != NULL; i++)
        if (strcmp(allowed[i], value) == 0)
            return i;
    int written = snprintf(reason, MAX_REASON, "`%s` is `%.40s`; allowed:", key, value);
    for (int i = 0; allowed[i] != NULL; i++)
        written += snprintf(reason + written, (size_t)(MAX_REASON - written), "%s %s",
                            i == 0 ? "" : ",", allowed[i]);
    return -1;
}

bool task_read(const line *it, task *out, char reason[MAX_REASON]) {
    static const char *const models[] = {"init",    "key",   "stream",  "packet",
                                         "message", "batch", "latency", NULL};
    static const char *const keys[] = {"ready", "fresh", NULL};
    static const char *const mixes[] = {"equal", "imix", NULL};
    static const char *const places[] = {"disjoint", "in-place", NULL};
    out->algorithm = line_text(it, "algorithm", "");
    out->operation = line_text(it, "operation", "");
    out->level = line_text(it, "level", "-");
    int model = choice(it, "model", "", models, reason);
    if (model < 0)
        return false;
    out->model = (enum model)model;
    bool usual = is_setup(out->model) || out->model == PACKET;
    int fresh = choice(it, "keys", usual ? "fresh" : "ready", keys, reason);
    int imix = fresh < 0 ? -1 : choice(it, "mix", "equal", mixes, reason);
    int place = imix < 0 ? -1 : choice(it, "placement", "in-place", places, reason);
    if (place < 0)
        return false;
    out->fresh = fresh == 1;
    out->imix = imix == 1;
    out->in_place = place == 1;
    uint64_t most = UINT64_MAX;
    bool numbers = line_number(it, "size", 0, 0, most, &out->size, reason) &&
                   line_number(it, "messages", 1, 1, 1 << 16, &out->messages, reason) &&
                   line_number(it, "threads", 1, 1, 1024, &out->threads, reason) &&
                   line_number(it, "nonce_bytes", 0, 0, 1 << 20, &out->nonce_bytes, reason) &&
                   line_number(it, "aad_bytes", 0, 0, 1 << 20, &out->aad_bytes, reason) &&
                   line_number(it, "seed", 1, 0, most, &out->seed, reason) &&
                   line_number(it, "buffer", most, 4096, most, &out->buffer, reason);
    if (!numbers)
        return false;
    if (out->model != BATCH && out->fresh != usual) {
        snprintf(reason, MAX_REASON, "model %s has other `keys`", models[model]);
        return false;
    }
    if ((out->size == 0) != is_setup(out->model)) {
        snprintf(reason, MAX_REASON, "`size` is no size of model %s", models[model]);
        return false;
    }
    if (out->imix && (out->model != BATCH || mix_granule(out->size) == 0)) {
        snprintf(reason, MAX_REASON,
                 "`mix` is `imix`; allowed in model batch with the mean as size");
        return false;
    }
    return true;
}

uint64_t task_call_bytes(const task *it) { return it->size < it->buffer ? it->size : it->buffer; }

model task_single(const task *it) {
    if (it->model != BATCH)
        return it->model;
    return it->fresh ? PACKET : MESSAGE;
}
