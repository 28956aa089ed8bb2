/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc.h>
#include <part.h>
shared int part[THREADS];
void fill(void) {
    part[MYTHREAD] = plain(MYTHREAD);
#ifdef WITH_OBJECT
    part[MYTHREAD] += object(1000);
#endif
}
