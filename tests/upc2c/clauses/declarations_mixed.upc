/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of several kinds together: lists of functions, objects and pointers; pointers to arrays and to pointers;
 * structures of functions with pointers-to-shared; statics whose initial values use names of their function. */
#include "check.h"
#include <stdint.h>

/* A function, a function, an object, and a structure that is defined later. */
shared int *f(void), *g(int), x = 3;
struct late;
shared struct late *lp;
struct late {
    int q;
    struct late *me;
    shared struct late *next;
};
shared int *f(void) { return &x; }
shared int *(g)(int n) { return &x + n; }

typedef const shared [2] int constants[4 * THREADS];
constants ca = {1, 2, 3, 4};
shared [4] int (*pa)[4 * THREADS];
shared [] int (*rows)[3], mat[5][3];
shared [2] int *shared [3] *shared [] *three_levels;
shared int *shared *shared *shared deep;

struct ops {
    shared int *(*get)(shared void *, int);
    void (*set)(struct ops *, shared int *v[]);
    shared [] char (*buffer)[16];
};
static shared int *getter(shared void *p, int n) { return (shared int *)p + n; }
static void setter(struct ops *o, shared int *v[]) { v[0] = o == NULL ? NULL : &x; }
struct ops ops = {getter, setter, 0};
static const struct ops *const ops_table[] = {&ops, 0};
union either {
    shared int *p;
    shared [] double *q;
    uintptr_t bits[2];
} either;
struct {
    unsigned a : 1;
    struct {
        shared int *p;
    } in[2];
} unnamed = {1, {{0}, {&x}}}, *pointer_to_unnamed = &unnamed;
struct with_mode {
    enum mode { M0, M1 = 7 } m;
    shared [M1] int *p;
} with_mode = {M1};
shared [M1] int sevens[M1 * THREADS];
shared int (y), (*(z)), ((w)[THREADS]);
char sized[sizeof(struct { shared int *p; })];
typedef shared int *P;
typedef shared int *P;
typedef shared int *function(shared int *, ...);
function variadic;
shared int *variadic(shared int *p, ...) { return p; }
function *pointer_to_function = variadic;
shared struct late shared_late = {.q = 4};
#define DECLARE(T, n) shared T n
DECLARE(int, from_macro);
DECLARE([3] double, array_from_macro)[3 * THREADS];
volatile shared int moving;
shared volatile int *volatile moving_pointer = &moving;
long sizes[3] = {[1] = sizeof(shared int *), 2};

static P identity(P a) { return a; }

static int same_names(void)
{
    int s = 0;
    {
        static shared int v = 1;
        s += v;
    }
    {
        static shared [2] int v[2 * THREADS] = {5};
        s += v[0];
    }
    {
        static int v = 7;
        s += v;
    }
    return s;
}

static int *own_address(void)
{
    static int v[3];
    static struct {
        int *p;
    } t[2] = {{&v[1]}, {v}};
    v[1] = MYTHREAD;
    return t[0].p;
}

static int literals(void)
{
    struct {
        shared int *p;
        int n;
    } s = {&x, 2};
    shared int *array[] = {&x, 0, &y};
    return *s.p + s.n + (array[1] == 0) + *((struct { shared int *p; }){.p = array[0]}).p;
}

static int old_style(s, p)
    struct late *s;
    shared struct late *p;
{
    return s->q + p->q;
}

static int static_in_for(void)
{
    int s = 0;
    for (static shared int *q = &x; s < 3; s++)
        if (q != &x) return -1;
    return s;
}

shared int numbers[10 * THREADS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static int names_of_the_function(void)
{
    enum { SIZE = 4 };
    struct local { /* moves in front of the function with the statics that need it */
        char q[3];
    };
    typedef short T;
    static shared int *p = &numbers[SIZE], *q = numbers + sizeof(struct local), *r = &numbers[(T)2 + SIZE];
    static shared int *s[SIZE] = {[SIZE - 1] = &numbers[1]};
    static int n = SIZE + sizeof(struct local), m[SIZE] = {SIZE, [2] = sizeof(T)};
    static shared int object = SIZE * 2;
    static struct {
        struct local *l;
        shared int *p;
    } both = {0, &numbers[SIZE + 1]};
    static shared [] char name[SIZE] = "abc";
    static shared [SIZE] int block[SIZE * THREADS] = {[SIZE - 2] = SIZE};
    CHECK(p == &numbers[4] && q == &numbers[3] && r == &numbers[6] && s[3] == &numbers[1] && s[0] == NULL);
    CHECK(n == 7 && m[0] == 4 && m[2] == 2 && object == 8 && both.p == &numbers[5] && both.l == NULL);
    return name[2] == 'c' && block[2] == 4;
}

int main(void)
{
    struct late l = {6};
    shared int *v[1];
    rows = mat;
    if (MYTHREAD == 0) mat[2][1] = 5;
    upc_barrier;
    CHECK(rows[2][1] == 5 && (*(rows + 2))[1] == 5 && upc_threadof(&rows[2][1]) == 0);
    CHECK(*f() == 3 && g(1) == &x + 1 && identity(&x) == &x && pointer_to_function(&x, 1) == &x);
    CHECK(ca[3] == 4 && three_levels == 0 && deep == NULL && pa == NULL && lp == NULL && z == NULL && w[0] == 0);
    CHECK(pointer_to_unnamed->in[1].p == &x && unnamed.in[0].p == 0 && unnamed.a == 1 && either.p == NULL);
    CHECK(ops_table[0]->get(&x, 0) == &x && ops_table[1] == NULL);
    ops_table[0]->set(&ops, v);
    CHECK(v[0] == &x && with_mode.m == M1 && with_mode.p == NULL && upc_blocksizeof(sevens) == 7);
    CHECK(sizeof(sized) == sizeof(P) && same_names() == 13 && *own_address() == MYTHREAD && literals() == 9);
    CHECK(old_style(&l, &shared_late) == 10 && from_macro == 0 && array_from_macro[1] == 0 && static_in_for() == 3);
    CHECK(moving_pointer == &moving && sizes[1] == sizeof(P) && sizes[2] == 2);
    CHECK(names_of_the_function() && names_of_the_function());
    return finish();
}
