// The same in conversions; behind another error nothing is said about it.
shared int *p;
shared int *f(int n) {
  p = (shared int *)__builtin_never_heard_of();    // error: D-UNKNOWN
  p = n ? p : __builtin_never_heard_of();          // error: D-UNKNOWN
  p = missing;                                     // error: D-UNDECLARED
  p = missing ? p : missing;                       // error: D-UNDECLARED; error: D-UNDECLARED
  return __builtin_never_heard_of();
}
