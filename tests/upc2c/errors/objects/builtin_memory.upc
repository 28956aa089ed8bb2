// Builtin functions that copy and compare; literals in arguments; thread-local pointers to shared are allowed.
struct point { int x, y; };
shared struct point s;
__thread shared struct point *mine;
static int area(struct point p) { return p.x * p.y; }
int f(struct point *q) {
  __builtin_memcpy(q, &s, sizeof *q);              // error: D-SHR-BUILTIN
  *q = s;
  return area((shared struct point){1, 2})         // error: D-SHR-LIT
         + __builtin_memcmp(mine, q, 4)            // error: D-SHR-BUILTIN
         + area(s);
}
