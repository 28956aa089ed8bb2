// Arguments of library functions, in terms of the function.
#include <upc.h>
#include <upc_collective.h>
#include <upc_io.h>
shared [10] char a[10 * THREADS];
shared int *p;
char buffer[10], *text;
int n;
struct point { int x, y; } s;
upc_lock_t *lock;
void f(void) {
  upc_memget(buffer, a, 10);
  upc_memget(a, buffer, 10);                       // error: D-LIB-ARG at 'a'; error: D-LIB-ARG at 'buffer'
  upc_memput(buffer, a, 10);                       // error: D-LIB-ARG; error: D-LIB-ARG
  upc_memcpy(a, buffer, 10);                       // error: D-LIB-ARG at 'buffer'
  upc_memset(buffer, 0, 10);                       // error: D-LIB-ARG
  upc_memget(buffer, a, p);                        // error: D-LIB-ARG at 'p'
  upc_memget(buffer, a, s);                        // error: D-LIB-ARG
  upc_memget(buffer, a);                           // error: D-CALL
  n = upc_threadof(&n);                            // error: D-LIB-ARG
  upc_free(buffer);                                // error: D-LIB-ARG
  upc_lock(&n);                                    // error: D-LIB-ARG
  upc_lock(lock);
  upc_all_broadcast(a, buffer, 10, 0);             // error: D-LIB-ARG at 'buffer'
  upc_all_permute(a, a, a, 10, 0);                 // error: D-LIB-ARG at 'a'
  text = upc_alloc(10);                          // error: D-CNV-LOCAL
}
