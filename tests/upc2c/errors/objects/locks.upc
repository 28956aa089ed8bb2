// Locks and domains of atomics are used through pointers.
#include <upc.h>
#include <upc_atomic.h>
upc_lock_t *good;
upc_lock_t lock;                                   // error: D-SHR-VOID
static upc_lock_t locks[4];                        // error: D-SHR-VOID
upc_atomicdomain_t domain;                         // error: D-INCOMPLETE
struct guarded {
  upc_lock_t *guard;
  upc_lock_t inside;                               // error: D-SHR-FIELD
};
shared [4] upc_lock_t *blocked;                    // error: D-LAY-VOID
static __thread upc_lock_t of_thread;              // error: D-SHR-TLS
void take(upc_lock_t by_value);                    // error: D-SHR-PARAM
void f(upc_lock_t *l) {
  upc_lock_t local;                                // error: D-SHR-AUTO
  upc_lock(l);
  upc_unlock(l);
}
