// Functions of UPC's libraries without their headers are no functions that return int; those of C may be.
// options: -Werror=upc-pts-variadic
shared int a[THREADS];
int f(void) {
  upc_all_broadcast(a, a, 4, 0);                   // error: D-UNDECLARED at 'upc_all_broadcast'
  upc_memput(a, &a, 4);                            // error: D-UNDECLARED at 'upc_memput'
  puts("");                                        // warning: D-IMPLICIT-FUNCTION at 'puts'
  return UPC_ADD;                                  // error: D-UNDECLARED
}
