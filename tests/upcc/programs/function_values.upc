/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers to functions with pointers-to-shared, variadic functions, recursion, variable arrays, computed goto,
 * _Generic. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
typedef shared [] struct tree *tree_p;
struct tree {
    int key;
    tree_p kid[2];
};
typedef int (*visitor)(shared [] struct tree *, void *);
typedef shared [4] int *(*picker)(shared [4] int *base, int n);
shared [4] int arr[4 * THREADS];
tree_p shared roots[THREADS];
static tree_p make(int lo, int hi) {
    if (lo > hi) return NULL;
    int m = (lo + hi) / 2;
    tree_p t = upc_alloc(sizeof *t);
    t->key = m;
    t->kid[0] = make(lo, m - 1);
    t->kid[1] = make(m + 1, hi);
    return t;
}
static int walk(tree_p t, visitor v, void *x) {
    return !t ? 0 : walk(t->kid[0], v, x) + v(t, x) + walk(t->kid[1], v, x);
}
static int count(tree_p t, void *x) {
    int *last = x;
    if (t->key <= *last) return 1000;
    *last = t->key;
    return 1;
}
static shared [4] int *pick(shared [4] int *base, int n) { return &base[n]; }
static shared [4] int *pick2(shared [4] int base[], int n) { return base + 2 * n; }
static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--) {
        shared [4] int *p = va_arg(ap, shared [4] int *);
        s += *p;
    }
    va_end(ap);
    return s;
}
static int interp(const unsigned char *code) {
    static void *ops[] = {&&inc, &&dbl, &&halt};
    int acc = 0;
    goto *ops[*code++];
inc:
    acc += arr[0] + 1;
    goto *ops[*code++];
dbl:
    acc *= 2;
    goto *ops[*code++];
halt:
    return acc;
}
#define KIND(x) \
    _Generic((x), int : 1, double : 2, shared [4] int * : 3, shared int * : 4, shared void * : 5, default : 6)
static picker choose(int w) { return w ? pick2 : pick; }
static int vla(int n, int m, int a[n][m], shared [4] int *p) {
    int b[m][n], s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            b[j][i] = a[i][j] + p[(i * m + j) % (4 * THREADS)];
            s += b[j][i];
        }
    return s + sizeof b / sizeof(int);
}
struct opts {
    const char *name;
    shared [4] int *where;
    int dims[3];
    picker how;
};
static int use(struct opts o) { return *o.how(o.where, o.dims[1]); }
int main(int argc, char **argv, char **envp) {
    int i, bad = 0, last = -1;
    upc_forall (i = 0; i < 4 * THREADS; i++; &arr[i]) arr[i] = i;
    roots[MYTHREAD] = make(0, 20);
    upc_barrier;
    bad += walk(roots[(MYTHREAD + 1) % THREADS], count, &last) != 21;
    bad += sum(3, &arr[1], pick(arr, 2), &arr[3]) != 6;
    bad += *choose(0)(arr, 3) != 3;
    bad += *(*choose(1))(arr, 1) != 2;
    bad += interp((const unsigned char[]){0, 1, 0, 1, 2}) != 6;
    shared int *cyc = NULL;
    shared void *v = arr;
    bad += KIND(arr[0]) != 1 || KIND(arr[0] * 1.0) != 2 || KIND(&arr[1]) != 3 || KIND(cyc) != 4 || KIND(v) != 5 ||
           KIND("x") != 6;
    int a[2][3] = {[1] = {1, 2, 3}, [0] = {[2] = 5}};
    int w = 0;
    for (i = 0; i < 6; i++) w += i % (4 * THREADS);
    bad += vla(2, 3, a, arr) != 11 + w + 6;
    bad += use((struct opts){.where = arr, .how = pick, .dims = {[1] = 2}}) != 2;
    bad += use((struct opts){"n", &arr[1], {0, 1}, pick2}) != 3;
    visitor vs[] = {count, [2] = count};
    last = -1;
    bad += walk(roots[0], vs[2], &last) != 21;
    __typeof__((0, arr[0])) t = 5;
    typeof(&arr[0]) pt = &arr[2];
    bad += *pt + t != 7;
    shared [4] int **pp = malloc(2 * sizeof *pp);
    pp[0] = arr;
    pp[1] = pp[0] + 3;
    bad += *pp[1] != 3 || pp[1] - pp[0] != 3 || **pp != 0;
    free(pp);
    bad += ({
               shared [4] int *q = arr;
               int s = 0;
               do s += *q++;
               while (q < arr + 3);
               s;
           }) != 3;
    if (bad) printf("%d: %d\n", MYTHREAD, bad);
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    return bad;
}
