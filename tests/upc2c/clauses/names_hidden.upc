/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that hide shared objects, typedefs and tags in inner scopes. */
#include "check.h"
shared int x = 1;
typedef shared [2] int T;
T arr[2 * THREADS];
struct x {
    int x;
};
enum { K = 4 };
static int f(int T) { return T + 1; }
static int g(int x)
{
    {
        extern shared int x;
        return x;
    }
}
static int h(void)
{
    typedef int x;
    x v = 3;
    {
        int x = 5;
        v += x;
    }
    return (int)sizeof(x) + v;
}
static int m(void)
{
    struct x x = {7};
x:
    if (x.x < 9) {
        x.x++;
        goto x;
    }
    return x.x;
}
static int n(int K[2]) { return K[1]; }
static int o(int arr)
{
    arr++;
    return arr;
}
static int p(void)
{
    int THREADS_ = 3, MYTHREAD_ = 1;
    T *T = arr;
    return upc_blocksizeof(*T) + THREADS_ + MYTHREAD_;
}
static int q(void)
{
    static shared int x;
    static shared [2] int arr[2 * THREADS];
    x = x;
    return upc_blocksizeof(arr) + (&arr[0] != &(shared [2] int *){0}[0]);
}
static int r(void)
{
    for (int x = 0, arr = 3; x < arr; x++) {
        int arr = x;
        if (arr == 2) return x;
    }
    return -1;
}
static int s(void)
{
    int old = x, x = old + 1;
    return x;
}
static int t(void)
{
    shared int *x = &x[0];
    (void)x;
    x = 0;
    return !x;
}
static int u(void)
{
    shared int *y = &x;
    {
        int y = 2;
        (void)y;
        shared int *x = &((shared int *)0)[0];
        (void)x;
    }
    return *y;
}
static int v(T *p, int (*x)(T *)) { return x ? x(p) : p[1]; }
int main(void)
{
    int shared_ = 1;
    struct T {
        T *T;
    } st = {arr};
    arr[2 * MYTHREAD] = 1;
    arr[2 * MYTHREAD + 1] = 2;
    upc_barrier;
    CHECK(f(1) == 2 && g(9) == 1 && h() == 12 && m() == 9 && o(1) == 2 && p() == 6 && r() == 2 && s() == 2 &&
          u() == 1 && v(arr, 0) == 2);
    {
        int k[2] = {1, 2};
        CHECK(n(k) == 2);
    }
    CHECK(q() >= 2 && st.T[1] == 2 && shared_);
    CHECK(t() == 1);
    return finish();
}
