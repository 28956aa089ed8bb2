/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc.h>
#include "inlined.h"
static shared [] int pair[2];
shared [] int *anchor(void) { return pair; }
inline int only_there(int x) { return x + 99 + doubled(0); }
inline double scaled(shared [] int *p, double by) { return *p * by + 0 * at_anchor(1); }
