// Pointers to pointers-to-shared, and members.
struct pair {
  shared [4] int *a;
  int *b;
} s;
shared [4] int **to_p4;
shared int **to_p1;
shared int *const *to_constant;
void (*callback)(shared int *);
void takes_private(int *);
void takes_p4(shared [4] int *);
void f(volatile shared int *v) {
  shared int *p = v;                               // warning: D-CNV-QUAL
  to_p4 = to_p1;                                   // error: D-CNV-LAYOUT
  to_p1 = to_constant;                             // warning: D-DISCARDED-QUALIFIERS at '='
  callback = takes_p4;                             // error: D-CNV-LAYOUT
  callback = 0;
  callback = takes_private;                        // error: D-CNV-LAYOUT
  s.a = s.b;                                       // error: D-CNV-SHARED
  s.b = s.a;                                       // error: D-CNV-LOCAL
  s.b[0] = s.a[0];
  struct pair t = {p, 0};                          // error: D-CNV-LAYOUT
  struct pair u = {.b = s.a};                      // error: D-CNV-LOCAL
  struct pair w = {.a = 1};                        // error: D-CNV-INT
  t = u;
}
