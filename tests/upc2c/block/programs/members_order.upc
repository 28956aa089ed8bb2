/* SPDX-License-Identifier: BSD-3-Clause */
/* 5.1.2.3 between the reads of members of one structure: what is read behind a strict access, a fence, a barrier, a lock
 * or a call is not fetched before it; a loop that waits for a member sees it change; and a member is read at once, also
 * among others. Thread 0 reads what the last thread writes. */
#include "../../clauses/check.h"

#define ROUNDS 200
struct pair {
    int first, second;
    long whole; /* all of its bytes are the same */
    int third, fourth, fifth;
};
shared struct pair pairs[THREADS], *p;
strict shared int flag, answer, stop;
upc_lock_t *lock;

static int last(void) { return THREADS - 1; }
__attribute__((noinline)) static void say(int value) { flag = value; }
__attribute__((noinline)) static void await(int value) {
    while (answer != value) ;
}

/* The second member is written between the reads of the two. */
static void strict_between(void) {
    int i, first, second;
    if (MYTHREAD == 0)
        for (i = 1; i <= ROUNDS; i++) {
            first = p->first;
            flag = i;
            while (answer != i) ;
            second = p->second;
            CHECK(first == i - 1 && second == i);
        }
    if (MYTHREAD == last())
        for (i = 1; i <= ROUNDS; i++) {
            while (flag != i) ;
            p->second = p->first = i;
            answer = i;
        }
    upc_barrier;
}

/* What is read behind a strict read is at least as new. */
static void strict_reads(void) {
    int i, seen, old = 0;
    if (MYTHREAD == last()) p->second = p->fifth = 0, flag = 0;
    upc_barrier;
    if (MYTHREAD == 0)
        do {
            old += p->first + p->third;
            seen = flag;
            CHECK(p->second + p->fifth >= 2 * seen);
        } while (seen < 20 * ROUNDS);
    if (MYTHREAD == last())
        for (i = 1; i <= 20 * ROUNDS; i++) {
            p->second = p->fifth = i;
            flag = i;
        }
    upc_barrier;
    if (old < 0) p->first = old;
}

static void calls_between(void) {
    int i, sum;
    if (MYTHREAD == 0)
        for (i = 1; i <= ROUNDS; i++) {
            sum = p->third + p->fourth;
            say(-i);
            await(-i);
            sum += p->third + p->fourth;
            CHECK(sum == 2 * (i - 1) + 2 * i);
        }
    if (MYTHREAD == last())
        for (i = 1; i <= ROUNDS; i++) {
            while (flag != -i) ;
            p->third = p->fourth = i;
            answer = -i;
        }
    upc_barrier;
}

static void barriers_between(void) {
    int i, first, second;
    for (i = 1; i <= 20; i++) {
        if (MYTHREAD == last()) p->first = i, p->second = 2 * i;
        upc_barrier;
        first = p->first;
        upc_barrier;
        if (MYTHREAD == last()) p->second = 3 * i;
        upc_barrier;
        second = p->second;
        CHECK(first == i && second == 3 * i);
        upc_barrier;
    }
}

/* Both members are one more, or neither, while the lock is held. */
static void locks_between(void) {
    int i, first;
    if (MYTHREAD == 0) p->first = p->second = 0;
    upc_barrier;
    for (i = 0; i < 30; i++) {
        first = p->first;
        upc_lock(lock);
        CHECK(p->first == p->second && p->first >= first);
        p->first += 1;
        p->second += 1;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(p->first == 30 * THREADS && p->second == 30 * THREADS);
    upc_barrier;
}

static void waiting(void) {
    if (MYTHREAD == 0) p->third = p->fourth = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        const int before = p->fourth;
        while (!p->third) upc_fence;
        CHECK((before == 0 || before == 8) && p->fourth == 8);
    }
    if (MYTHREAD == last()) {
        p->fourth = 8;
        upc_fence;
        p->third = 1;
    }
    upc_barrier;
}

/* A word that the last thread writes all the time. */
static void words(void) {
    static const int table[4] = {1, 2, 3, 4};
    int i, sum = 0;
    if (MYTHREAD == last()) {
        p->first = stop = 0;
        p->whole = 0;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < 5000; i++) {
            const int second = p->second, fifth = p->fifth, first = p->first;
            const long whole = p->whole;
            CHECK(whole == 0 || whole == -1);
            if (first >= 0 && first < 4) sum += table[first];
            sum += (second ^ second) + (fifth ^ fifth);
        }
        stop = 1;
    }
    if (MYTHREAD == last() && THREADS > 1)
        for (i = 0; !stop; i++) {
            p->whole = -(long)(i % 2);
            p->first = i % 2 ? 1000000000 : 3;
            p->second = p->fifth = i;
        }
    CHECK(sum >= 0);
    upc_barrier;
}

int main(void) {
    lock = upc_all_lock_alloc();
    p = &pairs[THREADS - 1];
    upc_barrier;
    if (THREADS > 1) {
        strict_between();
        strict_reads();
        calls_between();
    }
    barriers_between();
    locks_between();
    if (THREADS > 1) waiting();
    words();
    return finish();
}
