/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the program that the runtime, the translation or the C library have, too. */
#include <upc_relaxed.h>
#include <stdlib.h>
#include "../../upc2c/clauses/check.h"
int upc = 1, mythread = 2, threads = 3, gasnet = 4, index_ = 5, shared_ = 6;
static int y1 = 7, link = 8, yn = 9, gamma = 10, time = 11, signal_ = 12, remove_ = 13;
typedef int upc_int;
struct upc_s {
    int upc_member;
} upc_v;
int upc_my_function(int x) { return x + 1; }
static int upcri(int a) { return a; }
int all_1 = 3, from_2 = 4, p_ = 5, f_ = 6, o_ = 7;
static int get(int i) { return i; }
int private_13 = 8;
int user_man = 9;
int size = 3, data = 4, status = 5, error_ = 6;
enum { OK, FAIL, I_ = 3 };
struct stat {
    int x;
};
int rea(int a) { return a * 2; }
int bar(int I) { return I; }
shared int j1, sizes[THREADS], *jn;
int log2_(int x) {
    int r = 0;
    while (x >>= 1) r++;
    return r;
}
int div_(int a) { return a; }
char *basename = "b";
double infinity = 1.0;
long round_ = 2;
int strict_ = 3;
static double exp10_;
struct shared_s {
    int THREADS_;
};
int environ_ = 1;
void *stdout_;
int abs1;
int isnan_ = 2;
int major = 1, minor = 2;
int linux_ = 1;
int unix_ = 2;
int main(int argc, char **argv) {
    int all_1 = 1, from_2 = 2, i_;
    int MYTHREAD_ = 3;
    int upcr = 5;
    for (int j_8 = 0; j_8 < 2; j_8++) all_1 += j_8;
    upc_forall (i_ = 0; i_ < 2 * THREADS; i_++; &sizes[i_ % THREADS]) sizes[i_ % THREADS] = upc + from_2;
    j1 = 3;
    upc_barrier;
    jn = &j1;
    CHECK(*jn == 3 && j1 + y1 == 10);
    CHECK(all_1 == 2 && upc_my_function(2) == 3 && upcri(4) == 4 && get(3) == 3 && user_man == 9 &&
          rea(4) == 8 && bar(3) == 3 && link == 8 && time == 11 && gamma == 10 && yn == 9 && I_ == 3);
    struct stat st = {4};
    CHECK(st.x == 4);
    struct upc_s *pp = &upc_v;
    pp->upc_member = 4;
    CHECK(upc_v.upc_member == 4 && upcr == 5 && MYTHREAD_ == 3);
    CHECK(sizes[0] == 3);
    return finish();
}
