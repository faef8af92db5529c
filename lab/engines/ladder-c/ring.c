#include "ring.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "sha256.h"

/* The length of a cache line, where buffers and contexts begin. */
enum { LINE = 64 };

static uint8_t *aligned(uint64_t bytes) {
    void *memory = NULL;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&memory, LINE, (size_t)bytes + LINE) != 0)
        return NULL;
    memset(memory, 0, (size_t)bytes + LINE);
    return memory;
}

/* Memory for keys and messages whose lengths stand in `lengths`. */
static bool allocate(ring *it, const rung *rung, const size_t *lengths, bool apart) {
    size_t longest = 0;
    for (size_t i = 0; i < it->count; i++)
        longest = lengths[i] > longest ? lengths[i] : longest;
    /* One line between buffers, so that powers of two do not share a cache set. */
    size_t stride = (size_t)round_up(longest, LINE) + LINE;
    bool ready = it->model == MESSAGE || it->model == LATENCY;
    it->rung = rung;
    it->context_stride = (size_t)round_up(rung->context_bytes, LINE);
    it->contexts = aligned((ready ? it->slots : 1) * it->context_stride);
    it->keys = aligned(it->slots * rung->key_bytes);
    it->ivs = aligned(it->slots * rung->iv_bytes);
    it->messages = calloc(it->count, sizeof *it->messages);
    it->inputs = aligned((uint64_t)it->count * stride);
    it->outputs = apart ? aligned((uint64_t)it->count * stride) : NULL;
    if (it->contexts == NULL || it->keys == NULL || it->ivs == NULL || it->messages == NULL ||
        it->inputs == NULL || (apart && it->outputs == NULL))
        return false;
    for (size_t i = 0; i < it->count; i++) {
        uint8_t *input = it->inputs + i * stride;
        uint8_t *output = it->outputs == NULL ? input : it->outputs + i * stride;
        it->messages[i] = (message){i, input, output, lengths[i]};
    }
    return true;
}

static void *context(const ring *it, size_t slot) {
    return it->contexts + slot * it->context_stride;
}

static const uint8_t *iv(const ring *it, size_t slot) { return it->ivs + slot * it->rung->iv_bytes; }

static void start(const ring *it, void *context, size_t slot) {
    if (it->rung->start != NULL)
        it->rung->start(context, it->rung->iv_bytes == 0 ? NULL : iv(it, slot));
}

static void fill(ring *it, uint64_t seed) {
    const rung *rung = it->rung;
    for (size_t slot = 0; slot < it->slots; slot++) {
        input_fill(seed, KIND_KEY, slot, it->keys + slot * rung->key_bytes, rung->key_bytes);
        input_fill(seed, KIND_IV, slot, it->ivs + slot * rung->iv_bytes, rung->iv_bytes);
    }
    for (size_t i = 0; i < it->count; i++)
        input_fill(seed, KIND_DATA, i, (uint8_t *)it->messages[i].input, it->messages[i].length);
    if (rung->prepare != NULL)
        rung->prepare();
    if (it->model == STREAM) {
        rung->set_key(it->contexts, it->keys);
        start(it, it->contexts, 0);
    }
    if (it->model == MESSAGE || it->model == LATENCY)
        for (size_t slot = 0; slot < it->slots; slot++)
            rung->set_key(context(it, slot), it->keys + slot * rung->key_bytes);
}

bool ring_make(ring *it, const rung *rung, const task *task, model single, uint64_t size) {
    memset(it, 0, sizeof *it);
    it->model = single;
    it->count = (size_t)input_buffers(task, size);
    it->slots = it->count > RING_SLOTS ? it->count : RING_SLOTS;
    it->batch = task->model == BATCH;
    it->each = (size_t)task->messages;
    it->on_the_spot = task->model == LATENCY;
    size_t *lengths = calloc(it->count, sizeof *lengths);
    if (lengths == NULL)
        return false;
    input_lengths(task, size, it->count, lengths);
    bool made = allocate(it, rung, lengths, !task->in_place);
    free(lengths);
    if (made && task->threads > 1) {
        it->crew = crew_hire((unsigned)task->threads);
        made = it->crew != NULL;
    }
    if (made)
        fill(it, task->seed);
    return made;
}

bool ring_random(ring *it, const rung *rung, const task *task, size_t count, uint64_t least,
                 uint64_t granule) {
    memset(it, 0, sizeof *it);
    it->model = task_single(task);
    it->count = it->slots = count;
    it->each = 1;
    size_t *lengths = calloc(count, sizeof *lengths);
    bool *in_place = calloc(count, sizeof *in_place);
    bool made = lengths != NULL && in_place != NULL;
    for (size_t i = 0; made && i < count; i++) {
        uint8_t words[24];
        input_fill(task->seed, KIND_DRAW, i, words, sizeof words);
        uint64_t units = (task->size - least) / granule + 1;
        lengths[i] = (size_t)(least + granule * (load_le64(words) % units));
        in_place[i] = load_le64(words + 16) % 2 == 0;
    }
    made = made && allocate(it, rung, lengths, true);
    for (size_t i = 0; made && i < count; i++)
        if (in_place[i])
            it->messages[i].output = (uint8_t *)it->messages[i].input;
    if (made)
        fill(it, task->seed);
    free(lengths);
    free(in_place);
    return made;
}

void ring_free(ring *it) {
    crew_dismiss(it->crew);
    free(it->contexts);
    free(it->keys);
    free(it->ivs);
    free(it->messages);
    free(it->inputs);
    free(it->outputs);
}

static void work(const ring *it, const message *message) {
    const rung *rung = it->rung;
    size_t slot = message->slot;
    void *own = it->contexts;
    switch (it->model) {
    case INIT:
    case PACKET:
        rung->set_key(own, it->keys + slot * rung->key_bytes);
        start(it, own, slot);
        if (it->model == INIT)
            return;
        break;
    case KEY:
        rung->set_key(own, it->keys + slot * rung->key_bytes);
        return;
    case STREAM:
        break;
    default:
        own = context(it, slot);
        start(it, own, slot);
    }
    if (it->crew == NULL)
        rung->process(own, message->input, message->output, message->length);
    else
        crew_process(it->crew, rung, own, message->input, message->output, message->length);
}

void ring_pass(ring *it) {
    for (size_t i = 0; i < it->count; i++)
        work(it, &it->messages[i]);
}

void ring_next(void *state) {
    ring *it = state;
    if (it->batch) {
        for (size_t i = 0; i < it->each; i++)
            work(it, &it->messages[it->next_message + i]);
        it->next_message += it->each;
        if (it->next_message == it->count)
            it->next_message = 0;
        return;
    }
    message message = it->messages[it->next_message];
    message.slot = it->next_slot;
    work(it, &message);
    if (!it->on_the_spot) {
        it->next_slot = (it->next_slot + 1) % it->slots;
        if (++it->next_message == it->count)
            it->next_message = 0;
    }
}

void ring_digest(const ring *it, char out[65]) {
    sha256 digest;
    sha256_start(&digest);
    for (size_t i = 0; i < it->count; i++)
        sha256_absorb(&digest, it->messages[i].output, it->messages[i].length);
    sha256_finish(&digest, out);
}
