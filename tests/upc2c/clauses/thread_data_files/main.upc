/* SPDX-License-Identifier: BSD-3-Clause */
/* Unshared data that several files use, and variables of a C file: behind c_code they are one for the process. */
#include "../check.h"
#include <getopt.h>
#include "data.h"
static int hidden = 1;
int *here = &list[3];

int main(int argc, char **argv)
{
    tentative = MYTHREAD;
    list[3] = 5 + MYTHREAD;
    anonymous.x = MYTHREAD;
    hidden += MYTHREAD;
    upc_barrier;
    CHECK(work(1) == 2 * MYTHREAD + 1);
    CHECK(tentative == 2 * MYTHREAD && *here == 6 + MYTHREAD && here == list + 3);
    CHECK(anonymous.x == MYTHREAD + 1 && hidden == 1 + MYTHREAD);
    CHECK(defined_there[2] == 3 + MYTHREAD && *pointer_there == defined_there[1] && pointer_there == &defined_there[1]);
    CHECK(items[0].next == &items[1] && items[1].next->n == MYTHREAD);
    CHECK(of_c == 4 && c_table[1] == 8);
    c_table[2] = 1;
    CHECK(c_next() == 17);
    optind = 1;
    CHECK(argc < 1 || getopt(argc, argv, "") == -1);
    return finish();
}
