// Atomics, transfers without waiting, casts of the library.
#include <upc.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_nb.h>
shared long counter;
long one = 1, old;
void f(upc_atomicdomain_t *domain) {
  upc_atomic_relaxed(domain, &old, UPC_ADD, &counter, &one, 0);
  upc_atomic_relaxed(domain, &old, UPC_ADD, &one, &one, 0);      // error: D-LIB-ARG at '&'
  upc_atomic_strict(domain, &counter, UPC_GET, &counter, 0, 0);  // error: D-LIB-ARG
  upc_atomic_strict(&old, &old, UPC_GET, &counter, 0, 0);        // error: D-LIB-ARG
  upc_handle_t h = upc_memget_nb(&old, &one, 8);                 // error: D-LIB-ARG
  upc_sync(h);
  long *p = upc_cast(&old);                                      // error: D-LIB-ARG
  upc_memput_nbi(7, &old, 8);                                    // error: D-LIB-ARG
}
