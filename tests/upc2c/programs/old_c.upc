/* C of the 1980s with shared data: K&R definitions, implicit int, functions that nobody declared. */
typedef unsigned long size_t;
shared int table[8 * THREADS];
static counter;
extern char *getenv(), *malloc();
int (*handlers[3])();
struct { unsigned a : 3, : 2, b : 5; } bits;
int compare(left, right) register int *left, *right; { return *left - *right; }
double scale(v, n, by) shared double *v; int n; double by;
{
    double sum = 0;
    int i;
    for (i = 0; i < n; ++i) sum += (v[i] *= by);
    return sum;
}
shared int *element(i) { return &table[i]; }
swap(a, b) shared int *a; shared int *b; { int t; t = *a; *a = *b; *b = t; }
main(argc, argv) int argc; char **argv;
{
    auto int i = 0, ch = '\101', wide = L'x';
    char *text = "one" " two\n\x41\0";
    (*handlers[0])(i, text);
    if (argc > 1) for (;;) { if (++i > 10) break; else continue; }
    do { i -= 2; switch (i & 7) { default: case 3: i++; break; case 'a': ; } } while (i > 0 ? i & 1 : !i);
again:
    if (counter++ < 3) goto again;
    swap(element(0), element(argc));
    upc_barrier 017;
    return compare(&i, &ch) + wide + argv[0][0] + bits.b;
}
