// Pointers-to-shared as arguments of C's functions with variable arguments.
#include <stdio.h>
shared [4] int a[4 * THREADS];
int user(int n, ...);
void f(shared void *p, shared [] double *q) {
  printf("%p %d", p, a[1]);                        // warning: D-PTS-VARIADIC at 'p'
  printf("%f", *q);
  printf("%p\n", &a[2]);                           // warning: D-PTS-VARIADIC at '&'
  printf("%p\n", (void *)&a[2]);
  user(1, p, &a[1]);
}
