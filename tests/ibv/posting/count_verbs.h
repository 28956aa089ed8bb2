/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process has done with libibverbs so far; of a library that is loaded before it (count_verbs.c). */
#pragma once

struct verbs_counts {
    unsigned long calls;       /* of ibv_post_send: doorbells, one each */
    unsigned long requests;    /* that they posted */
    unsigned long signalled;   /* of these */
    unsigned long completions; /* that ibv_poll_cq returned, without those of receives */
};
struct verbs_counts verbs_counts(void);
