// Allocations whose blocks are not the pointer's, for those who ask.
// options: -Wupc-heap-size
#include <upc.h>
shared [16] double *v;
shared int *p;
shared [] int *local;
void f(int n) {
  v = upc_all_alloc(n / 16, 16 * sizeof(double));
  v = upc_all_alloc(n, sizeof(double));            // warning: D-HEAP-SIZE at 'sizeof'
  p = upc_global_alloc(n, sizeof(int));
  p = upc_global_alloc(n, 4 * sizeof(int));        // warning: D-HEAP-SIZE
  p = (shared int *)upc_all_alloc(n, 1);           // warning: D-HEAP-SIZE
  p = upc_all_alloc(THREADS, n * sizeof(int));
  local = upc_all_alloc(1, 40);
  local = upc_alloc(n);
}
