/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of functions of the C library whose headers the program does not include: they are the program's own, and
   the runtime, which calls those functions, does not come here. */
#include "check.h"
shared int connect, bind, close_;
shared int recv[THREADS];
int mmap[4] = { 1, 2, 3, 4 };
int ftruncate, fcntl = 7;
static shared [] int *glob[2];
shared [2] int sendmsg[2 * THREADS];
struct entry { int key; } poll = { 5 };
double getpid(void) { return 2.5; }
void send(int to, int value) { recv[to] = value; }
int read(int from) { return recv[from]; }
void close(void) { upc_barrier; }
int open(shared int *p) { return *p + poll.key; }

int main(void)
{
    send((MYTHREAD + 1) % THREADS, 10 + MYTHREAD);
    ftruncate = MYTHREAD;
    if (MYTHREAD == 0) connect = bind = 3;
    sendmsg[2 * MYTHREAD + 1] = fcntl;
    glob[1] = upc_alloc(sizeof(int));
    *glob[1] = 6;
    close();
    CHECK(read(MYTHREAD) == 10 + (MYTHREAD + THREADS - 1) % THREADS);
    CHECK(open(&connect) == 8 && bind == 3 && getpid() == 2.5 && mmap[3] == 4);
    CHECK(ftruncate == MYTHREAD && sendmsg[2 * (THREADS - 1) + 1] == 7 && *glob[1] == 6);
    upc_free(glob[1]);
    return finish();
}
