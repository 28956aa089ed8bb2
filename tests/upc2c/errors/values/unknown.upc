// A type that upcc does not know where it must: what a builtin function that it never heard of returns.
shared int a[THREADS];
shared int *p;
int f(void) {
  int i = __builtin_never_heard_of(1) + 2;
  p = __builtin_never_heard_of(2);                 // error: D-UNKNOWN at '__builtin_never_heard_of'
  if (p == __builtin_never_heard_of(3)) i++;       // error: D-UNKNOWN
  upc_forall(i = 0; i < 3; i++; __builtin_never_heard_of(4)) a[i] = 0;  // error: D-UNKNOWN
  a[0] = __builtin_never_heard_of(5);
  return i + upc_blocksizeof(__builtin_never_heard_of(6));  // error: D-UNKNOWN
}
