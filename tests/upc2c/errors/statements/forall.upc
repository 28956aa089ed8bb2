// upc_forall (6.6.2): the affinity is an integer, a pointer-to-shared or continue; nothing leaves or enters it.
struct point { int x; } s;
shared int a[10 * THREADS];
int i, n, *p;
double d;
int f(void) {
  upc_forall(i = 0; i < 10; i++; i) a[i] = 0;
  upc_forall(i = 0; i < 10; i++; &a[i]) { continue; }
  upc_forall(i = 0; i < 10; i++; continue) n++;
  upc_forall(i = 0; i < 10; i++; ) n++;
  upc_forall(i = 0; i < 10; i++; p) n++;           // error: D-FOR-TYPE at 'p'
  upc_forall(i = 0; i < 10; i++; d) n++;           // error: D-FOR-TYPE
  upc_forall(i = 0; i < 10; i++; s) n++;           // error: D-FOR-TYPE
  upc_forall(i = 0; i < 10; i++; -2) n++;          // warning: D-FOR-NEGATIVE at '-'
  upc_forall(i = 0; i < 10; i++; i) break;         // warning: D-FOR-EXIT at 'break'
  upc_forall(i = 0; i < 10; i++; &a[i]) {
    if (a[i]) return 3;                            // warning: D-FOR-EXIT at 'return'
    if (n) goto out;                               // warning: D-FOR-EXIT at 'goto'
    upc_barrier;                                   // warning: D-FOR-COLLECTIVE at 'upc_barrier'
    switch (n) {
      case 1:
        break;
    }
    goto inside;
  inside:
    n++;
  }
  if (n > 3) goto inside;                          // warning: D-FOR-ENTER at 'goto'
  switch (n) {
    upc_forall(i = 0; i < 10; i++; i) {
      case 1:                                      // warning: D-FOR-ENTER at 'case'
        n++;
    }
  }
out:
  return 0;
}
