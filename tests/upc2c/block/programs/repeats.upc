/* SPDX-License-Identifier: BSD-3-Clause */
/* Straight code and loops that name a shared object several times: the values are those of the program as it is
 * written, whatever changes in between. Every thread works on elements of the next one, and on its own ones through
 * private pointers. */
#include "../../clauses/check.h"

struct node {
    int key;
    short tags[3];
    double weight;
    unsigned bits : 5;
    shared struct node *next;
};
shared struct node nodes[6 * THREADS];
shared [5] int blocked[20 * THREADS];
shared int cyclic[20 * THREADS], count;
shared float numbers[THREADS];
shared [4] struct { char c; int v; } small[8 * THREADS];

static int other(int i) { return ((MYTHREAD + 1) % THREADS) + i * THREADS; }

static void fill(void) {
    int i;
    for (i = MYTHREAD; i < 6 * THREADS; i += THREADS) {
        struct node n = {i, {1, 2, 3}, i / 2.0, 3, &nodes[(i + 1) % (6 * THREADS)]};
        nodes[i] = n;
    }
    for (i = MYTHREAD; i < 20 * THREADS; i += THREADS) {
        cyclic[i] = 3 * i;
        blocked[i] = i - 7;
        if (i < 8 * THREADS) small[i].c = 'a', small[i].v = i;
    }
    numbers[MYTHREAD] = 0.5f;
    if (MYTHREAD == 0) count = 10;
    upc_barrier;
}

static void values(void) {
    int i, sum = 0, largest = -1;
    for (i = 1; i < 15; i *= 2) {
        const int at = other(i);
        sum = cyclic[at] * cyclic[at] + cyclic[at];
        CHECK(sum == 9 * at * at + 3 * at);
        if (cyclic[at] > largest) largest = cyclic[at];
        CHECK(largest == 3 * at);
        if (blocked[at] > largest)
            largest = blocked[at];
        else if (blocked[at] == at - 7)
            sum = blocked[at];
        CHECK(sum == at - 7);
        CHECK(numbers[MYTHREAD] + numbers[MYTHREAD] == 1.0f);
    }
}

/* Each store is seen by the next read. */
static void stores(void) {
    shared struct node *p = &nodes[other(1)], *q = p;
    shared int *c = &cyclic[other(3)], *d = c;
    int seen;
    seen = p->key;
    q->key = seen + 1;
    CHECK(p->key == seen + 1 && p->key == q->key);
    p->key = p->key * 2;
    CHECK(q->key == 2 * (seen + 1));
    seen = *c;
    *d += 5;
    CHECK(*c == seen + 5 && *d == *c);
    if (*c > seen) {
        *d = seen;
        CHECK(*c == seen);
    }
    seen = p->tags[1];
    p->tags[0] = 9;
    CHECK(p->tags[1] == seen && p->tags[0] == 9);
    p->bits = 7;
    CHECK(p->bits == 7 && p->key == q->key && p->weight == q->weight);
    seen = small[MYTHREAD].v;
    small[MYTHREAD].c = 'b';
    small[MYTHREAD].v = seen + small[MYTHREAD].v;
    CHECK(small[MYTHREAD].v == 2 * seen && small[MYTHREAD].c == 'b');
    upc_barrier;
}

/* A private pointer to a shared object. */
static void private_pointers(void) {
    int *own = (int *)&cyclic[MYTHREAD], seen, i = MYTHREAD;
    seen = cyclic[i];
    *own = seen + 1;
    CHECK(cyclic[i] == seen + 1);
    if (cyclic[i] > seen) {
        ++*own;
        CHECK(cyclic[i] == seen + 2);
    }
    seen = 0;
    for (i = 0; i < 40; i += 10) {
        *own = i;
        seen += cyclic[MYTHREAD];
    }
    CHECK(seen == 60);
    upc_barrier;
}

/* What names an object changes. */
static void names(void) {
    shared struct node *p = &nodes[0];
    int i = MYTHREAD, *index = &i, sum;
    sum = nodes[i].key * nodes[i].key;
    *index = (i + 1) % THREADS;
    sum -= nodes[i].key * nodes[i].key;
    CHECK(THREADS == 1 ? sum == 0 : sum != 0);
    for (i = 0, sum = 0; i < 6 * THREADS; i++) {
        sum += p->bits + p->bits;
        p = p->next;
    }
    CHECK(p == &nodes[0] && sum >= 36);
}

/* Bounds that are read once, and those that the loop changes. */
static void loops(void) {
    int i, n = 0, private_count;
    for (i = 0; i < count; i++) n++;
    CHECK(n == 10 && i == 10);
    upc_forall (i = 0; i < count; i++; &cyclic[i]) n += 100;
    CHECK(i == 10 && n % 100 == 10);
    for (i = 0, n = 0; i < count - 4; i++) {
        if (i == 3) continue;
        n += blocked[other(2)];
    }
    CHECK(n == 5 * (other(2) - 7));
    n = i = 0;
    while (i < 9) {
        i += 2;
        if (i > 5) n += nodes[other(0)].tags[1] + nodes[other(0)].tags[1];
    }
    CHECK(n == 12);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0, n = 0; i < count; i++) {
            n++;
            if (i % 2) count--;
        }
        CHECK(n == 7 && count == 7);
        private_count = 0;
        do {
            private_count += count;
            count = count - 1;
        } while (count > 4);
        CHECK(private_count == 7 + 6 + 5);
        for (i = 0; i < 3; i++) {
            n = count;
            *(int *)&count = n + 1;
        }
        CHECK(count == 7);
    }
    upc_barrier;
}

/* What the program does not read is not read: a null pointer, an element that is not there. */
static void unread(void) {
    shared struct node *none = NULL;
    int i, n = 0, far = 1 << 28;
    for (i = 0; i < 5; i += 2) {
        if (none) n += none->key * none->key;
        if (far < 20 * THREADS) n += cyclic[far];
        if (i > 9) n += blocked[far] * blocked[far];
    }
    while (n) n += none->key;
    CHECK(none == NULL || none->key == none->key);
    CHECK(n == 0);
}

/* What a pointer in shared memory points to stays what it is. */
int *shared privates[THREADS];
char *shared texts[THREADS];
static void pointers_in_shared_memory(void) {
    static int value = 21;
    static char text[] = "abc";
    char *first, *second;
    privates[MYTHREAD] = &value;
    texts[MYTHREAD] = text;
    CHECK(*privates[MYTHREAD] + *privates[MYTHREAD] == 42);
    *privates[MYTHREAD] = *privates[MYTHREAD] + 1;
    CHECK(value == 22);
    first = texts[MYTHREAD], second = texts[MYTHREAD];
    *first = 'x';
    CHECK(*second == 'x');
}

/* A function that is called where a scope ends. */
static shared int ended;
static void note_end(int *value) { (void)value, ended++; }
static int with_end(int v) {
    __attribute__((cleanup(note_end))) int kept = v;
    return kept * 2;
}
static void ends_of_scopes(void) {
    int sum = 0, i, k;
    for (i = 0; i < THREADS; i++) {
        upc_barrier;
        if (i != MYTHREAD) continue;
        ended = 0;
        sum = ended, sum = sum * 100 + with_end(3), sum = sum * 100 + ended;
        CHECK(sum == 601);
        ended = 0, sum = 0;
        for (k = 0; k < 5; k++) {
            __attribute__((cleanup(note_end))) int kept = 0;
            sum += ended + kept;
        }
        CHECK(sum == 0 + 1 + 2 + 3 + 4);
    }
    upc_barrier;
}

int main(void) {
    fill();
    pointers_in_shared_memory();
    ends_of_scopes();
    values();
    upc_barrier;
    stores();
    private_pointers();
    names();
    upc_barrier;
    loops();
    unread();
    return finish();
}
