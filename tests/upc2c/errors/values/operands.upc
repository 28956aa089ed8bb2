// Operands of types that an operator or a condition cannot have, with shared objects: one message for each.
struct s { int x; };
shared struct s object;
shared [] int *p;
shared [4] int *q;
int *r;
int n, size = upc_localsizeof(n);                   // error: D-SIZE-NOSHR
char bytes[upc_blocksizeof(int)];                   // error: D-SIZE-NOSHR
shared [2] int a[2 * THREADS];
void nothing(void);
double half(double);
int f(void) {
  while (object) n++;                               // error: D-OPERAND at 'object'
  if (object) n++;                                  // error: D-OPERAND at 'object'
  for (; object;) n++;                              // error: D-OPERAND at 'object'
  do n++; while (object);                           // error: D-OPERAND at 'object'
  n = object ? 1 : 2;                               // error: D-OPERAND at 'object'
  n = *p[1];                                        // error: D-OPERAND at '*'
  n = *object;                                      // error: D-OPERAND at '*'
  n = p ? 1 : q;                                    // error: D-CMP-MIXED at '?'
  n = a[1] + object;                                // error: D-OPERAND at '+'
  a[1] *= object;                                   // error: D-OPERAND at '*='
  a[1] = !object;                                   // error: D-OPERAND at '!'
  a[1] = object && 1;                               // error: D-OPERAND at '&&'
  a[1] = object == object;                          // error: D-OPERAND at '=='
  a[1] = nothing() + 1;                             // error: D-OPERAND at '+'
  a[1] %= 1.5;                                      // error: D-OPERAND at '%='
  a[1] = a[0] << 1.5;                               // error: D-OPERAND at '<<'
  a[1] = ~(a[0] * 0.5);                             // error: D-OPERAND at '~'
  a[half] = 1;                                      // error: D-OPERAND at 'half'
  n = _Generic(p, int *: 1, shared [4] int *: 2);   // error: D-OPERAND at 'p'
  n = _Generic(&a[1], shared [2] int *: 1, int: 2);
  a[1] = n(2);                                      // error: D-CALL at 'n'
  a[1] = 5 (6);                                     // error: D-CALL at '5'
  a[1] = 7shared;                                   // error: D-SYNTAX at '7shared'
  switch (object) {}                                // error: D-OPERAND at 'object'
  switch (a[1] * 0.5) {}                            // error: D-OPERAND at 'a[1]'
  a[1] = 0x1fuLL + 0b11 + 07l + (int)2.5e1f + ~n % 3;
  return *r + *p + object.x;
}
