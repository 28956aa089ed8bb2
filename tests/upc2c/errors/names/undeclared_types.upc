// Types that are not declared: one message for each, and what follows is read as a declaration.
upc_tick_t start;                                  // error: D-UNDECLARED at 'upc_tick_t'
static const matrix_t *const both;                 // error: D-UNDECLARED at 'matrix_t'
int sum(vector_t v, int n);                        // error: D-UNDECLARED at 'vector_t'
struct s { uint64_t key; shared [] node_t *next; };// error: D-UNDECLARED at 'uint64_t'; error: D-UNDECLARED at 'node_t'
int f(int a, int b) {
  upc_tick_t end = 1;
  FILE *file = 0, *other;                          // error: D-UNDECLARED at 'FILE'
  for (size_t i = 0; i < 3; i++) a++;              // error: D-UNDECLARED at 'size_t'
  char *p = (bytes_t *)0;                          // error: D-UNDECLARED at 'bytes_t'
  a = sizeof(point_t *);                           // error: D-UNDECLARED at 'point_t'
  a b;                                             // error: D-SYNTAX at 'b'
  a * b;
  return a + (end != 0);
}
