// Words of UPC as operands and labels.
int n;
int f(void) {
  n = relaxed + 1;                                 // error: D-KEY
  return n * strict;                               // error: D-KEY
}
int g(void) { return THREADS + MYTHREAD; }
