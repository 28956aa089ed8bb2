// Names that nobody declared, members that are not there, calls that do not match.
shared struct point { int x, y; } p;
shared struct point *q;
int *r;
static implicit;                                   // warning: D-IMPLICIT-INT at 'static'
shared old_style;                                  // warning: D-IMPLICIT-INT
int add(int a, int b);
int f(void) {
  p.z = 1;                                         // error: D-MEMBER at 'z'
  q->z = 1;                                        // error: D-MEMBER
  r.x = 1;                                         // error: D-MEMBER
  implicit = missing;                              // error: D-UNDECLARED at 'missing'
  missing_too = p.x;                               // error: D-UNDECLARED
  add(1);                                          // error: D-CALL at 'add'
  add(1, 2, 3);                                    // error: D-CALL
  q();                                             // error: D-CALL
  not_declared(p.x);                               // warning: D-IMPLICIT-FUNCTION at 'not_declared'
  struct unknown *u = 0;
  return u->x;                                     // error: D-INCOMPLETE at 'x'
}
