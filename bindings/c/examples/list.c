/* Everything there is, after a self-test at every level of this CPU. */
#include <stdio.h>
#include <string.h>

#include "cipherlane.h"

int main(void) {
    struct cipherlane_options options;
    memset(&options, 0, sizeof options);
    for (size_t i = 0; i < cipherlane_level_count(); i++) {
        options.level = cipherlane_level_name(i);
        const int status = cipherlane_self_test(NULL, &options);
        if (status != CIPHERLANE_OK) {
            fprintf(stderr, "%s: %s\n", options.level, cipherlane_strerror(status));
            return 1;
        }
    }
    size_t operations = 0;
    for (size_t i = 0; i < cipherlane_algorithm_count(); i++) {
        struct cipherlane_algorithm_info algorithm;
        if (cipherlane_algorithm(i, &algorithm) != CIPHERLANE_OK) return 1;
        printf("%s (%s):", algorithm.name, algorithm.timing);
        for (size_t j = 0; j < cipherlane_operation_count(i); j++) {
            struct cipherlane_operation_info operation;
            if (cipherlane_operation(i, j, &operation) != CIPHERLANE_OK) return 1;
            printf(" %s", operation.name);
            operations++;
        }
        printf("\n");
    }
    printf("list: cipherlane %s, %zu algorithms, %zu operations, %zu levels\n",
           cipherlane_version(), cipherlane_algorithm_count(), operations,
           cipherlane_level_count());
    return operations == 0;
}
