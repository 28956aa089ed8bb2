/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with several test cases, of which each run executes one, chosen by name: a case may end the job. */
#ifndef UPCR_TESTS_SPMD_CASES_H
#define UPCR_TESTS_SPMD_CASES_H
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct spmd_case {
    const char *name;
    void (*run)(void);
};

/* An element of a table of cases: the function NAME and its name. */
#define CASE(name) \
    { #name, name }
/* A table of cases and its length, for the functions below. */
#define CASES(table) table, sizeof table / sizeof table[0]

enum { SPMD_NO_CASE = 98 }; /* exit status of a run whose case does not exist */

/* The case that the program's first argument names; null, with a message, if there is none. */
static inline const struct spmd_case *spmd_find_case(const struct spmd_case *cases, size_t n, int argc,
                                                     char **argv) {
    size_t i;
    for (i = 0; argc > 1 && i < n; ++i)
        if (strcmp(argv[1], cases[i].name) == 0) return &cases[i];
    fprintf(stderr, "no such case: %s\n", argc > 1 ? argv[1] : "no argument");
    return NULL;
}

/* Runs it on the calling thread. Returns the exit status. */
static inline int spmd_run_case(const struct spmd_case *cases, size_t n, int argc, char **argv) {
    const struct spmd_case *const found = spmd_find_case(cases, n, argc, argv);
    if (found == NULL) return SPMD_NO_CASE;
    found->run();
    return 0;
}

#endif
