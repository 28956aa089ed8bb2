// Loops in loops, and collective calls in them.
// options: -Wupc-forall-nested
#include <upc.h>
#include <upc_collective.h>
shared int a[THREADS];
shared [] int *p;
int i, j;
void f(void) {
  upc_forall(i = 0; i < 3; i++; i)
    upc_forall(j = 0; j < 3; j++; j) a[j] = i;     // warning: D-FOR-NESTED at 'upc_forall'
  upc_forall(i = 0; i < 3; i++; continue)
    upc_forall(j = 0; j < 3; j++; &a[j]) a[j] = i;
  upc_forall(i = 0; i < 3; i++; &a[i]) {
    upc_forall(j = 0; j < 3; j++; continue) a[j] = i;
    upc_forall(j = 0; j < 3; j++; -j) a[j] = i;    // warning: D-FOR-NESTED
    p = upc_all_alloc(1, 4);
    upc_all_lock_alloc();                          // warning: D-FOR-COLLECTIVE
    upc_notify;                                    // warning: D-FOR-COLLECTIVE
    upc_wait;                                      // warning: D-FOR-COLLECTIVE
    if (i > 3) upc_global_exit(1);                 // which is not collective
  }
  upc_forall(i = 0; i < 3; i++; i - i - 1 == 0 ? -1 : -1) return;  // warning: D-FOR-EXIT
  upc_forall(i = 0; i < 3; i++; -THREADS * 0 - 7) a[i] = 0;
  upc_forall(i = 0; i < 3; i++; 1 - 2) a[i] = 0;   // warning: D-FOR-NEGATIVE
  upc_forall(i = 0; i < 3; i++; "0") a[i] = 0;     // error: D-FOR-TYPE
  goto in;                                         // warning: D-FOR-ENTER
  upc_forall(;;; 0) {
  in:
    a[0] = 1;
  }
}
