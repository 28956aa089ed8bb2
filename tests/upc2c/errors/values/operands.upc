// Operands of types that an operator or a condition cannot have, with shared objects: one message for each.
struct s { int x; };
shared struct s object;
shared [] int *p;
shared [4] int *q;
int *r;
int n, size = upc_localsizeof(n);                   // error: D-SIZE-NOSHR
char bytes[upc_blocksizeof(int)];                   // error: D-SIZE-NOSHR
int f(void) {
  while (object) n++;                               // error: D-OPERAND at 'object'
  if (object) n++;                                  // error: D-OPERAND at 'object'
  for (; object;) n++;                              // error: D-OPERAND at 'object'
  do n++; while (object);                           // error: D-OPERAND at 'object'
  n = object ? 1 : 2;                               // error: D-OPERAND at 'object'
  n = *p[1];                                        // error: D-OPERAND at '*'
  n = *object;                                      // error: D-OPERAND at '*'
  n = p ? 1 : q;                                    // error: D-CMP-MIXED at '?'
  return *r + *p + object.x;
}
