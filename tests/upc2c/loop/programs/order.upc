/* SPDX-License-Identifier: BSD-3-Clause */
/* 5.1.2.3 in loops that run on private pointers: relaxed accesses stay on their side of strict ones, of fences,
 * barriers, locks and calls; nobody writes what the program does not write; a value that decides something is
 * read once. Thread 0 and the last thread talk to each other while the others wait. */
#include <string.h>
#include "../../clauses/check.h"

#define N 2000
#define TURNS 400 /* of two threads that answer each other: each waits for messages where no memory is shared */
shared [] int data[N], back[N];
shared [] long words[N];
strict shared int flag, answer;
relaxed shared int plain_flag;
shared int own[N * THREADS];
upc_lock_t *lock;

static int last(void) { return THREADS - 1; }

/* Data before a strict flag, element by element. */
static void strict_flags(void) {
    int i;
    if (THREADS == 1) return;
    if (MYTHREAD == 0)
        for (i = 0; i < TURNS; i++) {
            data[i] = i + 1;
            flag = i + 1;
            while (answer != i + 1) ;
            CHECK(back[i] == 2 * (i + 1));
        }
    if (MYTHREAD == last())
        for (i = 0; i < TURNS; i++) {
            while (flag != i + 1) ;
            CHECK(data[i] == i + 1);
            back[i] = 2 * (i + 1);
            answer = i + 1;
        }
}

/* A call may wait for another thread. */
__attribute__((noinline)) static void say(int value) { flag = value; }
__attribute__((noinline)) static void await(int value) {
    while (answer != value) ;
}
static void calls(void) {
    int i;
    if (THREADS == 1) return;
    if (MYTHREAD == 0)
        for (i = 0; i < TURNS; i++) {
            data[i] = i + 7;
            say(-i - 1);
            await(-i - 1);
            CHECK(data[i] == 3 * i); /* the other thread has written it */
        }
    if (MYTHREAD == last())
        for (i = 0; i < TURNS; i++) {
            while (flag != -i - 1) ;
            CHECK(data[i] == i + 7);
            data[i] = 3 * i;
            answer = -i - 1;
        }
}

/* Barriers and locks in the body. */
static void barriers_and_locks(void) {
    int i, turns = 50;
    for (i = 0; i < turns; i++) {
        if (MYTHREAD == 0) data[i] = i * i;
        upc_barrier;
        CHECK(data[i] == i * i);
        upc_barrier;
    }
    for (i = 0; i < turns; i++) {
        upc_lock(lock);
        data[i] += 1 + MYTHREAD;
        upc_unlock(lock);
    }
    upc_barrier;
    for (i = 0; i < turns; i++) CHECK(data[i] == i * i + THREADS * (THREADS + 1) / 2);
    upc_barrier;
}

/* A loop that waits for a relaxed value sees it change. */
static void waiting(void) {
    if (THREADS > 1 && MYTHREAD == 0) {
        while (plain_flag != 1) upc_fence;
    }
    if (THREADS > 1 && MYTHREAD == last()) plain_flag = 1;
    upc_barrier;
}

/* Each of two threads writes every second element, and only where a condition says so. */
static void no_other_writes(void) {
    int i, round, me = MYTHREAD == 0 ? 0 : 1;
    upc_barrier;
    if (MYTHREAD == 0 || MYTHREAD == last())
        for (round = 1; round <= 20; round++) {
            for (i = 0; i < N; i++)
                if (i % 2 == me) words[i] += round;
            for (i = me; i < N; i += 2) CHECK(words[i] == (long)round * (round + 1) / 2);
        }
    upc_barrier;
}

/* A value that is tested and then used is the same both times. */
static void one_read(void) {
    static const int table[4] = {1, 2, 3, 4};
    int i, round, sum = 0;
    if (MYTHREAD == last() && THREADS > 1)
        for (round = 0; round < 75; round++)
            for (i = 0; i < N; i++) data[i] = round % 2 ? 1000000000 : 3;
    if (MYTHREAD == 0)
        for (round = 0; round < 75; round++)
            for (i = 0; i < N; i++) {
                const int value = data[i];
                if (value >= 0 && value < 4) sum += table[value];
            }
    CHECK(sum >= 0);
    upc_barrier;
}

/* A relaxed write and a read of the same element by one thread keep their order. */
static void own_order(void) {
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &own[i]) {
        own[i] = i;
        own[i] = own[i] + 1;
        CHECK(own[i] == i + 1);
    }
    upc_barrier;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) CHECK(own[i] == i + 1);
    upc_barrier;
}

int main(void) {
    lock = upc_all_lock_alloc();
    strict_flags();
    upc_barrier;
    calls();
    upc_barrier;
    barriers_and_locks();
    waiting();
    no_other_writes();
    one_read();
    own_order();
    return finish();
}
