// A mistake in the parentheses of a loop is one message: what follows is not read as statements.
shared int a[10 * THREADS];
void f(int n) {
  int i;
  upc_forall (i = 0; i < n; i++) a[i] = 1;          // error: D-SYNTAX at ')'
  upc_forall (i = 0; i < n; i++; &a[i]; 3) a[i] = 1;// error: D-SYNTAX at ';'
  for (i = 0, i < n; i++) a[i] = 1;                 // error: D-SYNTAX at ')'
  for (i = 0; i < n, i++) {                         // error: D-SYNTAX at ')'
    a[i] = 1;
  }
  for (i = 0; (i < n; i++) a[i] = (2);              // error: D-SYNTAX at ';'
  n = 1 +;                                          // error: D-SYNTAX at ';'
}
void g(void) { upc_barrier }                        // error: D-SYNTAX at '}'
void h(int n) { upc_notify n }                      // error: D-SYNTAX at '}'
int i(void) { upc_wait return 0; }                  // error: D-SYNTAX at 'return'
void j(void) { upc_notify int n = 3; }              // error: D-SYNTAX at 'int'
void k(void) {
  upc_barrier                                       // error: D-SYNTAX at 'upc_barrier'
  while (a[0]) ;
}
