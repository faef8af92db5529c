#include "line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool unescape(char *text) {
    char *out = text;
    for (; *text != 0; text++) {
        if (*text != '%') {
            *out++ = *text;
            continue;
        }
        int high = digit(text[1]), low = high < 0 ? -1 : digit(text[2]);
        if (low < 0 || high + low == 0)
            return false;
        *out++ = (char)(high << 4 | low);
        text += 2;
    }
    *out = 0;
    return true;
}

bool line_read(char *text, line *out, char reason[MAX_REASON]) {
    char *rest = NULL;
    text[strcspn(text, "\r\n")] = 0;
    out->fields = 0;
    out->word = strtok_r(text, " ", &rest);
    if (out->word == NULL) {
        snprintf(reason, MAX_REASON, "an empty line");
        return false;
    }
    for (char *field; (field = strtok_r(NULL, " ", &rest)) != NULL;) {
        char *equals = strchr(field, '=');
        if (equals == NULL) {
            snprintf(reason, MAX_REASON, "`%.40s` is no key=value", field);
            return false;
        }
        *equals = 0;
        if (!unescape(equals + 1)) {
            snprintf(reason, MAX_REASON, "the escape in `%.40s` is broken", field);
            return false;
        }
        if (line_text(out, field, NULL) != NULL) {
            snprintf(reason, MAX_REASON, "the key `%.40s` stands twice", field);
            return false;
        }
        if (out->fields == MAX_FIELDS) {
            snprintf(reason, MAX_REASON, "a line has more than %d fields", MAX_FIELDS);
            return false;
        }
        out->keys[out->fields] = field;
        out->values[out->fields++] = equals + 1;
    }
    return true;
}

const char *line_text(const line *it, const char *key, const char *usual) {
    for (int i = 0; i < it->fields; i++)
        if (strcmp(it->keys[i], key) == 0)
            return it->values[i];
    return usual;
}

bool line_number(const line *it, const char *key, uint64_t usual, uint64_t least, uint64_t most,
                 uint64_t *out, char reason[MAX_REASON]) {
    const char *text = line_text(it, key, NULL);
    *out = usual;
    if (text == NULL)
        return true;
    char *end = NULL;
    errno = 0;
    *out = strtoull(text, &end, 10);
    bool read = text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0;
    if (read && *out >= least && *out <= most)
        return true;
    snprintf(reason, MAX_REASON, "`%s` is `%.40s`; allowed: %" PRIu64 " to %" PRIu64, key, text,
             least, most);
    return false;
}

bool line_only(const line *it, const char *const *known, char reason[MAX_REASON]) {
    for (int i = 0; i < it->fields; i++) {
        const char *const *key = known;
        while (*key != NULL && strcmp(*key, it->keys[i]) != 0)
            key++;
        if (*key == NULL) {
            snprintf(reason, MAX_REASON, "unknown key `%.40s`", it->keys[i]);
            return false;
        }
    }
    return true;
}

void line_field(FILE *out, const char *key, const char *value) {
    fprintf(out, " %s=", key);
    for (const char *c = value; *c != 0; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte <= ' ' || byte == '%' || byte == 0x7f)
            fprintf(out, "%%%02X", byte);
        else
            fputc(byte, out);
    }
}
