/* Statements of C and UPC in each other. */
shared int a[THREADS], n;
shared [] char *text;
static inline int odd(int i) { return i & 1; }
static _Noreturn void stop(void) { for (;;) upc_fence; }
int f(int x, ...)
{
    static void *labels[] = { &&one, &&two };
    __builtin_va_list ap;
    int nested(int y) { return x + y; }
    if (x) {
#pragma upc strict
        n = x;
    } else if (x > 2) upc_notify;
    else upc_wait x;
    switch (x) {
        case 1 ... 5: { int x = 2; a[0] = x; }
        case 7: __attribute__((fallthrough));
        default: { __label__ local; goto local; local: n++; }
    }
    goto *labels[x & 1];
one:
    __builtin_va_start(ap, x);
    text = __builtin_va_arg(ap, shared [] char *);
    __builtin_va_end(ap);
two:
    upc_forall (int i = 0; i < 10 * THREADS; i++; i % THREADS)
        upc_forall (int j = i; odd(j); j--; &a[j % THREADS])
            while (a[j % THREADS] < x) { if (x == 3) continue; do a[0]++; while (0); }
    for (struct { int i; shared int *p; } it = { 0, &a[0] }; it.i < 3; it.i++, it.p++) *it.p = nested(it.i);
    asm volatile("" : "+r"(x) : "i"(3), [name] "m"(labels[0]) : "memory", "cc");
    asm goto("" : : : : out);
    { ; ; upc_barrier a[0], 2; }
out:
    return x ? : 3;
}
int main() { if (MYTHREAD == 0) f(1, text); else if (THREADS > 3) stop(); upc_barrier; return 0; }
