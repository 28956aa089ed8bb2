/* SPDX-License-Identifier: BSD-3-Clause */
#include "util.h"

long checksum(const int *values, int count)
{
    long sum = 0;
    int i;
    for (i = 0; i < count; i++) sum = 31 * sum + values[i];
    return sum;
}
