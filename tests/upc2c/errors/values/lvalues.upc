// What can be assigned to, and what has an address.
const shared int fixed = 3;
shared [4] int a[4 * THREADS], *p;
shared struct point { int x; unsigned flag : 1; const int id; } s, t;
shared const struct { int n; } constants;
void f(void) {
  fixed = 4;                                       // error: D-LVALUE at '='
  fixed++;                                         // error: D-LVALUE
  s.x = 1;
  s.id = 2;                                        // error: D-LVALUE
  s = t;                                           // error: D-LVALUE
  constants.n += 1;                                // error: D-LVALUE
  a = a;                                           // error: D-LVALUE
  p = &a[0];
  &a[1] = 0;                                       // error: D-LVALUE at '='
  (&s) += 1;                                       // error: D-LVALUE
  shared [] unsigned *q = &s.flag;                 // error: D-LVALUE at '&'
  *(const shared int *)p = 3;                      // error: D-LVALUE
  ++a[1] += 1;                                     // error: D-LVALUE at '+='
  a[1]++ = 2;                                      // error: D-LVALUE at '='
  p++ ++;                                          // error: D-LVALUE
  (a[1], a[2]) = 3;                                // error: D-LVALUE at '='
  (fixed ? a[1] : a[2]) = 3;                       // error: D-LVALUE at '='
  (long)a[1] = 3;                                  // error: D-LVALUE at '='
  p + 1 = p;                                       // error: D-LVALUE at '='
  q = &(a[1]++);                                   // error: D-LVALUE at '&'
  q = &(fixed ? a[1] : a[2]);                      // error: D-LVALUE at '&'
  ++--a[1]++;                                      // error: D-LVALUE at '--'
  (p++ = &a[1])++;                                 // error: D-LVALUE at '='
  q = & &a[1];                                     // error: D-LVALUE at '&'
  __extension__ s.x = (a[1]) = ((a[2])) = *&a[3];
}
