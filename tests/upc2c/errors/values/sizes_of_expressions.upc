// Size operators of other operands.
typedef shared [8] double block_t[8 * THREADS];
block_t a;
struct s { shared [8] double *p; double d; } t;
char whole[sizeof(block_t)];                       // error: D-SIZEOF-CONST
shared struct { int f : 3; } bits;
int g(void) {
  return sizeof(bits) + sizeof(bits.f);            // error: D-OPERAND
}
int f(int m, shared [] double (*v)[m]) {
  char ok[upc_blocksizeof(block_t) + upc_elemsizeof(a[0])];
  return (int)(upc_blocksizeof(*t.p)
               + upc_blocksizeof(t.p)              // error: D-SIZE-NOSHR
               + upc_localsizeof(t.d)              // error: D-SIZE-NOSHR
               + upc_localsizeof(*v)               // error: D-SHR-VLA
               + sizeof(ok));
}
