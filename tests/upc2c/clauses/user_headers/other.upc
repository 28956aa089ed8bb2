/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc.h>
#include "table.h"
static shared int cell = 77;
shared int *first_cell(struct table *t)
{
    t->width++;
    return length(t) == 5 ? &cell : 0;
}
