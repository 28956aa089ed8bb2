/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This process's memory as the kernel reports it, in KiB, from /proc/self/status (exact to a few pages) and
 * /proc/self/smaps_rollup. Called by one thread of the process.
 */
#ifndef BENCH_JOB_STATUS_H
#define BENCH_JOB_STATUS_H
#include <stdio.h>
#include <string.h>

/* The number behind `name:` in `file`; -1 where there is none. */
static long read_kib(const char *file, const char *name) {
    char line[256];
    long kib = -1;
    FILE *f = fopen(file, "r");
    if (f == NULL) return -1;
    while (kib < 0 && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':')
            sscanf(line + strlen(name) + 1, "%ld", &kib);
    fclose(f);
    return kib;
}

/* One line of JSON; `anon` is this process's own, `file` mapped programs and libraries, `shmem` memory shared
 * with neighbours; `pss` counts a page that n processes share as 1/n. */
static void print_status(unsigned threads_here) {
    const char *status = "/proc/self/status", *smaps = "/proc/self/smaps_rollup";
    long rss = read_kib(status, "VmRSS"), anon = read_kib(status, "RssAnon");
    long mapped = read_kib(status, "RssFile"), shmem = read_kib(status, "RssShmem");
    long pss = read_kib(smaps, "Pss");
    printf(
        "{\"threads_here\": %u, \"rss\": %ld, \"anon\": %ld, \"file\": %ld, \"shmem\": %ld, \"pss\": %ld}\n",
        threads_here, rss, anon, mapped, shmem, pss);
    fflush(stdout);
}

#endif
