// What works on private memory only: builtin functions, asm, va_arg, _Atomic.
#include <stdarg.h>
shared int a[THREADS];
shared [] int *p;
shared _Atomic int counter;                        // error: D-SHR-BUILTIN
_Atomic(long) shared *total_of(void);              // error: D-SHR-BUILTIN
struct box { _Atomic int count; int rest; };
shared struct box boxes[THREADS];
struct box mine;
shared int *_Atomic atomic_pointer;
int behind(int n, shared int *last, ...) {
  va_list ap;
  va_start(ap, last);
  n += va_arg(ap, int);
  va_copy(ap, last);                               // error: D-SHR-BUILTIN at 'last'
  return n;
}
int sum(int n, ...) {
  va_list ap;
  int total;
  va_start(ap, n);
  p = va_arg(ap, shared [] int *);
  total = va_arg(ap, shared int);                  // error: D-SHR-BUILTIN
  va_end(ap);
  __builtin_prefetch(&a[1]);                       // error: D-SHR-BUILTIN at '&'
  __sync_fetch_and_add(&a[0], 1);                  // error: D-SHR-BUILTIN
  total += __atomic_load_n(p, 0);                  // error: D-SHR-BUILTIN
  total += __builtin_popcount(a[0]) + __builtin_constant_p(p);
  __asm__("" : "=r"(a[0]));                        // error: D-SHR-BUILTIN
  __asm__("" : : "r"(p));                          // error: D-SHR-BUILTIN
  __asm__("" : "=r"(total) : "r"(n));
  boxes[0].count++;                                // error: D-SHR-BUILTIN
  total += boxes[0].rest + mine.count++;
  atomic_pointer = a;
  atomic_pointer++;                                // error: D-SHR-BUILTIN at 'atomic_pointer'
  atomic_pointer += 2;                             // error: D-SHR-BUILTIN
  p = (shared [] int *)atomic_pointer;
  return total;
}
