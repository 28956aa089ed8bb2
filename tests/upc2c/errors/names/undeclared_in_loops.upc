// Names of a loop do not live after it, and K&R declarations have warnings only.
shared int a[THREADS];
struct list { shared struct list *next; } l;
count(n) { return n; }                             // warning: D-IMPLICIT-INT
int f(void) {
  upc_forall(int i = 0; i < THREADS; i++; i) a[i] = 0;
  a[i] = 1;                                        // error: D-UNDECLARED
  l.next->key = 1;                                 // error: D-MEMBER
  later(a[0]);                                     // warning: D-IMPLICIT-FUNCTION
  return sum_of(&a[0]);                            // warning: D-IMPLICIT-FUNCTION
}
struct list_of { struct never_defined inside; };   // error: D-INCOMPLETE
int g(void) { return count(1, 2) + f(3); }         // error: D-CALL
