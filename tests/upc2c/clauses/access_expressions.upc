/* SPDX-License-Identifier: BSD-3-Clause */
/* Assignments, increments and conditions over shared lvalues, each evaluated once. */
#include "check.h"
#include <stdarg.h>
struct in {
    int v;
    shared [] int *q;
    int (*fn)(int);
};
struct node {
    shared struct node *l, *r;
    struct in d[2];
    int key;
};
shared struct node nodes[4 * THREADS];
shared int a[8 * THREADS], b[8 * THREADS], c[8 * THREADS];
shared char ch;
shared _Bool bo;
shared unsigned char uc;
shared double d;
shared float f;
shared long long ll;
shared short sh;
shared [] int *shared ps;
shared [] int flat[10];
static int twice(int x) { return 2 * x; }
static struct node mk(int k)
{
    struct node n = {0};
    n.key = k;
    n.d[1].v = k + 1;
    n.d[1].fn = twice;
    n.d[0].q = flat + 2;
    return n;
}
static struct in sub(struct node n) { return n.d[1]; }
static int va(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--) {
        shared int *p = va_arg(ap, shared int *);
        struct in i = va_arg(ap, struct in);
        s += *p + i.v;
    }
    va_end(ap);
    return s;
}
static int evals;
static int ev(int x)
{
    evals++;
    return x;
}
static shared int *pev(int x)
{
    evals++;
    return &a[x];
}
int main(void)
{
    int i, x;
    shared int *p, *q;
    shared [] int *fp;
    if (MYTHREAD == THREADS - 1) {
        for (i = 0; i < 8 * THREADS; i++) a[i] = b[i] = c[i] = i;
        CHECK(a[b[c[3]]] == 3);
        a[1] = b[2] = x = c[5];
        CHECK(a[1] == 5 && b[2] == 5 && x == 5);
        x = a[2]++ + ++a[3];
        CHECK(x == 6 && a[2] == 3 && a[3] == 4);
        x = a[2]-- - --a[3];
        CHECK(x == 0 && a[2] == 2);
        p = a;
        q = b;
        *p++ = *q++;
        *p++ = *q++;
        CHECK(p == a + 2 && q == &b[2] && a[1] == 1);
        *p++ += *q--;
        CHECK(a[2] == 7 && q == b + 1);
        (*p)++;
        ++*p;
        *++p = 7;
        *--p *= 2;
        CHECK(a[3] == 10 && a[4] == 7);
        p = a;
        while ((*p++ = *q++) < 7)
            ;
        CHECK(a[6] == 7 && p == a + 7);
        a[ev(2)] += ev(3);
        CHECK(evals == 2);
        *pev(2) -= 1;
        (*pev(2))++;
        CHECK(evals == 4);
        pev(3)[ev(1)] <<= 1;
        CHECK(evals == 6);
        ch = 100;
        ch += 100;
        CHECK(ch == (char)200);
        bo = 0;
        bo++;
        CHECK(bo == 1);
        bo++;
        CHECK(bo == 1);
        bo--;
        CHECK(bo == 0);
        bo += 5;
        CHECK(bo == 1);
        bo = .5;
        CHECK(bo == 1);
        uc = 255;
        CHECK(uc++ == 255 && uc == 0);
        uc -= 1;
        CHECK(uc == 255);
        uc *= 1.01;
        CHECK(uc == 1 || uc == 257 % 256);
        d = 7;
        d /= 2;
        CHECK(d == 3.5);
        d = x = 2.9;
        CHECK(d == 2);
        f = 1;
        f += .5;
        f++;
        CHECK(f == 2.5f);
        f = d = 1.1;
        CHECK(f == 1.1f);
        ll = 1;
        ll <<= 40;
        ll |= 1;
        CHECK(ll == (1LL << 40) + 1);
        sh = -1;
        sh >>= 1;
        CHECK(sh == -1);
        sh = 10;
        sh %= 4;
        sh ^= 3u;
        CHECK(sh == 1);
        x = 3;
        x += d;
        x *= a[4];
        x = -a[4] + +a[4] + ~a[4] + !a[4];
        CHECK((a[0] = 5, a[0] + 1) == 6 && (a[0] ? a[0] : b[0]) == 5 && (a[0] && b[0] == 0 || c[0]));
        nodes[0] = mk(3);
        nodes[1] = nodes[2] = nodes[0];
        nodes[0].l = &nodes[1];
        nodes[0].r = nodes[0].l + 1;
        nodes[1].r = nodes[0].l;
        CHECK(nodes[0].d[1].v == 4 && nodes[0].l->d[1].v == 4 && nodes[0].r->key == 3 && nodes[0].l->r->d[1].v == 4 &&
              (*nodes[0].l->r).key == 3);
        CHECK(nodes[0].d[1].fn(4) == 8 && (*nodes[0].l->d[1].fn)(5) == 10 && nodes[2].d[0].q == &flat[2]);
        CHECK(sub(nodes[1]).v == 4 && sub(*nodes[0].l).fn(1) == 2 && mk(9).d[1].v == 10 && sub(mk(4)).v == 5);
        nodes[2].d[0].q[1] = 6;
        nodes[2].d[0].q++;
        CHECK(*nodes[2].d[0].q == 6 && nodes[2].d[0].q-- == flat + 3);
        nodes[2].d[0].q += 2;
        CHECK(nodes[2].d[0].q - flat == 4);
        nodes[3] = (struct node){.key = 8, .d[1] = {5, flat, twice}};
        CHECK(nodes[3].d[1].fn(nodes[3].d[1].v) == 10 && nodes[3].l == 0);
        nodes[3].d[0] = nodes[3].d[1];
        CHECK(nodes[3].d[0].v == 5);
        {
            struct in t = nodes[3].d[0];
            t.v++;
            nodes[3].d[1] = t;
        }
        CHECK((nodes[3].d[1] = nodes[3].d[0]).v == 5);
        CHECK(va(2, &a[1], nodes[0].d[1], &b[3], sub(nodes[1])) == a[1] + b[3] + 8);
        ps = flat;
        ps++;
        ps += 2;
        *ps = 3;
        ps[1] = 4;
        *ps++ += 1;
        CHECK(flat[3] == 4 && *ps == 4 && ps - flat == 4 && ps == &flat[4]);
        --ps;
        CHECK(*ps-- == 4);
        fp = &flat[9];
        CHECK(fp > flat && fp >= ps && !(fp < ps) && fp - 2 == &flat[7] && 2 + flat == &flat[2] &&
              &2 [flat] == flat + 2);
        p = 0;
        CHECK(!p && (p ? 0 : 1) && (p || 1) && !(p && *p));
        p = x > 100000 ? NULL : a;
        CHECK(p == a);
        p = x > 100000 ? a : 0;
        q = (p, (shared int *)NULL);
        CHECK(q == 0);
        {
            shared void *g = x == 12345 ? (shared void *)flat : a;
            CHECK(g == a);
            g = x == 12345 ? g : a;
            CHECK(g == (shared void *)a);
            if (!(q = a + 1)) CHECK(0);
        }
        (void)a[0];
        (void)p;
        (void)nodes[0];
        a[0], b[0];
        {
            int y = ({
                shared int *t = a;
                t += 3;
                *t;
            });
            CHECK(y == a[3]);
        }
        for (p = a, i = 0; p < a + 8 && *p >= 0; p += 2, i++)
            ;
        CHECK(i == 4);
        do {
            i--;
        } while (a[i] > 100000);
        switch (a[0]) {
        case 5:
            i = 1;
            break;
        case 6:;
        default:
            i = 0;
        }
        CHECK(i == 1);
        {
            int idx = 2, arr[3] = {0};
            arr[b[0]] = 5;
            arr[idx = c[1]]++;
            CHECK(arr[0] == 5 && arr[1] == 1);
        }
        {
            int n = a[1], v[a[0] + 1];
            v[a[0]] = n;
            CHECK(sizeof v == 6 * sizeof(int));
        }
    }
    return finish();
}
