// Words of UPC as names of members, labels and enumerators.
struct s { int x; };
int f(struct s *p) {
  return p->strict;                                // error: D-KEY
}
int g(int n) {
  goto shared;                                     // error: D-KEY
  return n;
}
enum mode { plain, relaxed, strict = 2 };          // error: D-KEY at 'relaxed'
int h(void) { return plain; }
