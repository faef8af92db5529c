#include "admit.h"

#include <inttypes.h>

#include "input.h"

verdict admit(const task *task, const rung **out, char reason[MAX_REASON]) {
    const char *name = task->operation;
    const rung *it = find_rung(task->algorithm, name, NULL);
    if (it == NULL) {
        snprintf(reason, MAX_REASON, "%s has no %.40s/%.40s", LADDER_ENGINE, task->algorithm, name);
        return REFUSED;
    }
    it = find_rung(task->algorithm, name, task->level);
    uint64_t length = task->imix ? mix_granule(task->size) : task_call_bytes(task);
    int at = snprintf(reason, MAX_REASON, "%s: %s/%s ", LADDER_ENGINE, task->algorithm, name);
    char *rest = reason + at;
    size_t room = (size_t)(MAX_REASON - at);
    if (it == NULL)
        snprintf(rest, room, "has no rung `%.40s`", task->level);
    else if (it->lacks != NULL && it->lacks() != NULL)
        snprintf(rest, room, "%s: %s", it->name, it->lacks());
    else if (task->model == LATENCY && !it->latency)
        snprintf(rest, room, "can't be measured in model latency");
    else if (task->nonce_bytes != it->iv_bytes)
        snprintf(rest, room, "takes no IV of %" PRIu64 " bytes", task->nonce_bytes);
    else if (length % it->granule != 0)
        snprintf(rest, room, "takes whole blocks of %zu bytes", it->granule);
    else if (task->messages != 1 && task->model != BATCH)
        snprintf(rest, room, "has one message a call in model %s", model_names[task->model]);
    else if (task->aad_bytes != 0)
        snprintf(rest, room, "has no associated data");
    else if (task->threads != 1 && !it->splits)
        snprintf(rest, room, "%s works on one thread: each block needs the one before", it->name);
    else if (task->threads != 1 && task->model != STREAM && task->model != MESSAGE)
        snprintf(rest, room, "shares its work in models stream and message only");
    else {
        *out = it;
        return ADMITTED;
    }
    return REFUSED;
}
