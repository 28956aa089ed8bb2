/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that the runtime's headers have macros for, as the program's own: functions, members, variables, labels. */
#include <upc.h>
int puts(const char *);
struct hooks { int (*exit)(int), (*rand)(void); int malloc, getenv; } hooks;
static unsigned state = 7;
int rand(void) { return (int)(state = state * 5 + 1); }
void srand(unsigned seed) { state = seed; }
static int leave(int status) { return status + 1; }
int index(int exit) { return exit * 2; }
shared int y1, get, put, handle;

int main(void)
{
    int exit = 3, free = 4;
    hooks.exit = leave;
    hooks.rand = rand;
    hooks.getenv = exit + free;
    hooks.malloc = hooks.exit(exit);
    srand(10);
    if (rand() != 51 || hooks.rand() != 256 || hooks.malloc != 4 || hooks.getenv != 7 || index(exit) != 6) goto getenv;
    if (MYTHREAD == 0) y1 = get = put = handle = 1;
    upc_barrier;
    if (y1 + get + put + handle != 4) goto getenv;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
getenv:
    return 1;
}
