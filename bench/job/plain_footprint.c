/* SPDX-License-Identifier: BSD-3-Clause */
/* What a C program and the C library take by themselves. */
#include "status.h"

int main(void) {
    print_status(1);
    return 0;
}
