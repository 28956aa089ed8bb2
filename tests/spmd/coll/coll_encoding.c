/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with the numbers of different translator releases in one program. */
#include "tests/spmd/coll/coll_encoding.h"

void collectives_of_encoding_1(upcr_shared_ptr_t a, upcr_shared_ptr_t b);
void collectives_of_encoding_2(upcr_shared_ptr_t a, upcr_shared_ptr_t b);

static void run(void) {
    const upcr_shared_ptr_t a = spmd_alloc(1024), b = spmd_alloc(1024);
    collectives_of_encoding_0(a, b);
    collectives_of_encoding_1(a, b);
    collectives_of_encoding_2(a, b);
}

SPMD_MAIN(run)
