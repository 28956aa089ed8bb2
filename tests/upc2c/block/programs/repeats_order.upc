/* SPDX-License-Identifier: BSD-3-Clause */
/* 5.1.2.3 between reads of one object: what is read behind a strict access, a fence, a barrier, a lock or a call is read
 * again, in straight code, in branches and in loops; and a loop that waits for an object sees it change. Thread 0 reads
 * what the last thread writes. */
#include "../../clauses/check.h"

#define ROUNDS 60
shared int data[THREADS], more[THREADS], bound[THREADS];
strict shared int flag, answer;
relaxed shared int ready[THREADS];
upc_lock_t *lock;
static int d; /* the element of the last thread */

static int last(void) { return THREADS - 1; }
__attribute__((noinline)) static void say(int value) { flag = value; }
__attribute__((noinline)) static void await(int value) {
    while (answer != value) ;
}
/* For each value that thread 0 asks for it writes that. */
static void answer_all(int rounds) {
    int i;
    for (i = 1; i <= rounds; i++) {
        while (flag != i) ;
        data[d] = i;
        more[d] = -i;
        answer = i;
    }
}

static void begin(void) {
    upc_barrier;
    if (MYTHREAD == last()) data[d] = more[d] = 0;
    if (MYTHREAD == 0) flag = answer = 0;
    upc_barrier;
}

static void strict_between(void) {
    int i, before, behind;
    begin();
    if (MYTHREAD == 0)
        for (i = 1; i <= ROUNDS; i++) {
            before = data[d] + more[d] + data[d];
            flag = i;
            while (answer != i) ;
            behind = data[d] + data[d] + more[d];
            CHECK(before == i - 1 && behind == i);
        }
    if (MYTHREAD == last()) answer_all(ROUNDS);
}

static void calls_between(void) {
    int i, before, behind = 0;
    begin();
    if (MYTHREAD == 0)
        for (i = 1; i <= ROUNDS; i++) {
            before = data[d];
            say(i);
            await(i);
            behind = data[d];
            CHECK(before == i - 1 && behind == i);
        }
    if (MYTHREAD == last()) answer_all(ROUNDS);
}

static void branches(void) {
    int i, behind = 0;
    begin();
    if (MYTHREAD == 0)
        for (i = 1; i <= ROUNDS; i++)
            if (data[d] == i - 1) {
                say(i);
                await(i);
                behind = data[d];
                CHECK(behind == i);
            } else {
                CHECK(0);
            }
    if (MYTHREAD == last()) answer_all(ROUNDS);
}

/* Loops in which nothing but the order tells that the value changes. */
static void loops(void) {
    int i, sum = 0, rounds = ROUNDS;
    begin();
    if (MYTHREAD == 0) {
        i = 0;
        while (i < rounds) {
            i++;
            sum += data[d];
            flag = i;
            while (answer != i) ;
        }
        CHECK(sum == ROUNDS * (ROUNDS - 1) / 2);
    }
    if (MYTHREAD == last()) answer_all(ROUNDS);
    begin();
    if (MYTHREAD == 0) {
        i = sum = 0;
        do {
            i++;
            sum += data[d];
            say(i);
            await(i);
        } while (i < rounds);
        CHECK(sum == ROUNDS * (ROUNDS - 1) / 2);
    }
    if (MYTHREAD == last()) answer_all(ROUNDS);
}

/* The bound grows with the answers. */
static void bounds(void) {
    int i, seen = 0;
    begin();
    if (MYTHREAD == last()) bound[d] = 1;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < bound[d]; i++) {
            say(i + 1);
            await(i + 1);
            seen++;
        }
        CHECK(seen == 20);
    }
    if (MYTHREAD == last())
        for (i = 1; i <= 20; i++) {
            while (flag != i) ;
            if (i < 20) bound[d] = i + 1;
            answer = i;
        }
}

static void barriers_between(void) {
    int i, sum = 0;
    begin();
    for (i = 1; i <= 20; i++) {
        sum += data[d];
        upc_barrier;
        if (MYTHREAD == last()) data[d] = i;
        upc_barrier;
        sum += data[d];
        CHECK(data[d] == i);
        upc_notify;
        upc_wait;
    }
    CHECK(sum == 20 * 20);
}

static void locks_between(void) {
    int i, before;
    begin();
    for (i = 0; i < 30; i++) {
        before = data[d];
        upc_lock(lock);
        CHECK(data[d] == more[d] && data[d] >= before);
        data[d] = data[d] + 1;
        more[d] = more[d] + 1;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(data[d] == 30 * THREADS && more[d] == 30 * THREADS);
}

/* Each of these ends when the last thread has written. */
static void waiting(void) {
    int i, seen = 0, before;
    for (i = 0; i < 5; i++) {
        upc_barrier;
        if (MYTHREAD == last()) ready[d] = 0;
        upc_barrier;
        if (MYTHREAD == 0) {
            before = ready[d] + ready[d];
            switch (i) {
            case 0:
                while (!ready[d]) ;
                break;
            case 1:
                do seen = ready[d];
                while (!seen);
                break;
            case 2:
                for (;;)
                    if (ready[d]) break;
                break;
            case 3:
                for (seen = 0; !seen; ) {
                    const int now = ready[d];
                    if (now) seen = now;
                }
                break;
            default:
                for (seen = 0; seen < 9; seen += ready[d]) ;
            }
            CHECK(before >= 0 && ready[d] == 1);
        }
        if (MYTHREAD == last()) {
            for (seen = 0; seen < 1000; seen++) upc_fence;
            ready[d] = 1;
        }
    }
}

int main(void) {
    lock = upc_all_lock_alloc();
    d = last();
    upc_barrier;
    if (THREADS > 1) {
        strict_between();
        calls_between();
        branches();
        loops();
        bounds();
        waiting();
    }
    barriers_between();
    locks_between();
    upc_barrier;
    return finish();
}
