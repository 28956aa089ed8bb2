/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a C program and the C library alone. */
#include "status.h"

int main(void) {
    print_status(1);
    return 0;
}
