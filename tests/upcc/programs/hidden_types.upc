/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of shared objects whose names mean something else where the objects are accessed, types that functions and
 * parameters declare, null pointer constants of all forms, and arrays of pointers to shared arrays. */
#include <string.h>
#include <sys/time.h>
#include "../../upc2c/clauses/check.h"

struct T {
    int a, b;
};
typedef struct {
    int a, b;
} pair;
typedef union {
    long l;
    char c[8];
} word;
typedef enum { RED, GREEN = 5 } color;
enum level { LOW, HIGH = -3 };
shared struct T x[THREADS];
shared pair pairs[THREADS];
shared word words[THREADS];
shared color colors[THREADS];
shared enum level levels[THREADS];

static void tags(void) {
    x[MYTHREAD].b = 1;
    {
        struct T {
            char pad[64];
            int b;
        } y, *at = &y;
        y.b = 2;
        x[MYTHREAD].b = 7 + at->b;
        CHECK(sizeof(struct T) == 68);
        CHECK(sizeof(x[0]) == 8);
    }
    {
        struct T; /* another one, incomplete */
        struct T *other = 0;
        CHECK(x[MYTHREAD].b == 9 && other == 0);
    }
    struct T z = x[MYTHREAD];
    CHECK(z.b == 9);
}

struct R *make(void);
struct R {
    int a, b;
};
shared struct R r[THREADS];
struct R *make(void) { return 0; }
static int hidden_r(void) {
    struct R {
        char pad[64];
        int b;
    } y = {{0}, 2};
    r[MYTHREAD].b = 1 + y.b;
    return r[MYTHREAD].b;
}
static int of_system(void) {
    struct timeval a;
    gettimeofday(&a, 0);
    {
        struct timeval {
            int x[9];
        } b = {{1, 2}};
        return a.tv_sec > 0 && b.x[1] == 2;
    }
}

static void set_pair(int pair) { pairs[MYTHREAD].b = pair; }
static void typedefs(void) {
    set_pair(4);
    CHECK(pairs[MYTHREAD].b == 4);
    {
        typedef struct {
            double q[4];
        } pair;
        pair mine = {{1, 2, 3, 4}};
        CHECK(sizeof(pairs[0]) == 8 && upc_elemsizeof(pairs) == 8 && sizeof(pair) == 32);
        pairs[MYTHREAD].a = (int)mine.q[2];
    }
    pair pair = {10, 20};
    pairs[MYTHREAD] = pair;
    CHECK(pairs[MYTHREAD].a + pairs[MYTHREAD].b == 30);
    int word = 3;
    words[MYTHREAD].l = word;
    CHECK(words[MYTHREAD].l == 3);
    int color = GREEN, level = HIGH;
    colors[MYTHREAD] = color;
    levels[MYTHREAD] = level;
    CHECK(colors[MYTHREAD] == GREEN && levels[MYTHREAD] == HIGH);
    for (int pair = 0; pair < 3; pair++) pairs[MYTHREAD].a += pair;
    CHECK(pairs[MYTHREAD].a == 13);
}

/* Statics of functions. */
extern int called(int);
extern int elsewhere;
static shared int target;
static int walk(int k) {
    extern int called(int), elsewhere;
    enum state { IDLE, BUSY = 2 };
    typedef enum { OFF, ON = 7 } mode;
    static shared enum state states[THREADS];
    static shared mode modes[THREADS];
    static enum state here = BUSY;
    static struct {
        int (*again)(int), (*other)(int);
        int *value;
        shared int *p;
        enum state s;
    } how = {walk, called, &elsewhere, &target, BUSY};
    if (k == 0) return 1;
    states[MYTHREAD] = BUSY;
    modes[MYTHREAD] = ON;
    CHECK(states[MYTHREAD] == 2 && modes[MYTHREAD] == 7 && here == BUSY && how.s == BUSY);
    CHECK(how.p == &target && *how.value == 6);
    return how.again(k - 1) + how.other(k);
}
int called(int k) { return 10 * k; }
int elsewhere = 6;

static int names(void) {
    static const char *of_function = __func__;
    static shared int s;
    static shared int *to = &s;
    return !strcmp(of_function, "names") && to == &s;
}
inline int twice(int k) {
    static int (*self)(int) = twice;
    static shared int *to = &target;
    return k == 0 || to == 0 ? 0 : 2 + self(k - 1);
}

/* Types of parameters. */
static int of_nested(int (*call)(struct S2 { double d; } *), int k) {
    struct S2 {
        int a;
    } s = {2};
    return call ? 0 : s.a + k;
}
static int of_enum(enum { NONE, SOME = 3 } level) { return level + SOME; }
struct PX {
    long other;
};
static int of_struct(struct PX {
    int a, b;
} * p) {
    struct PX q = *p;
    return q.a + p->b;
}

/* Null pointer constants. */
enum { NIL };
static shared int *find(int k) { return k ? &target : NIL; }
static void nulls(void) {
    shared int *p = '\0', *q = NIL;
    CHECK(p == 0 && q == NIL && p == '\0');
    p = &target;
    p = 1 - 1;
    CHECK(p == NULL);
    p = (char)0;
    CHECK(!p);
    p = &target;
    CHECK(p != (void *)(long)0 && p != NIL);
    p = (void *)(long)0;
    CHECK(p == (1 ? 0 : 1) && p == (int)0.5);
    CHECK(find(0) == NULL && find(1) == &target);
    shared [] char *c = target == -1 ? (shared [] char *)&target : '\0';
    CHECK(c == 0);
}

/* Arrays of pointers to shared arrays. */
shared double now[THREADS], next[THREADS];
shared double (*grid[2])[THREADS] = {&now, &next};
struct buffers {
    shared double (*of[2])[THREADS];
};
static void buffers(void) {
    static shared double (*own[2])[THREADS] = {&next, &now};
    struct buffers b = {{&now, &next}};
    (*grid[1])[MYTHREAD] = 2.5;
    CHECK(next[MYTHREAD] == 2.5 && (*own[0])[MYTHREAD] == 2.5 && (*b.of[1])[MYTHREAD] == 2.5);
    CHECK(&(*own[1])[MYTHREAD] == &now[MYTHREAD]);
}

int main(void) {
    tags();
    CHECK(hidden_r() == 3 && make() == 0 && of_system());
    CHECK(names());
    CHECK(twice(2) == 4 && of_nested(0, 3) == 5);
    typedefs();
    CHECK(walk(1) == 11);
    CHECK(of_enum(3) == 6);
    int two[2] = {3, 4};
    CHECK(of_struct((void *)two) == 7);
    nulls();
    buffers();
    return finish();
}
