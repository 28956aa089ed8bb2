// Barriers in the places of expressions and of branches.
shared [] char *text;
int n;
int f(void) {
  for (n = 0; n < 3; upc_barrier) n++;             // error: D-BAR-EXPR
  while (n--)
    upc_barrier n;
  do {
    upc_notify text;                               // error: D-BAR-TYPE
    n++;
    upc_notify n;                                  // warning: D-BAR-ORDER
    upc_wait &n;                                   // error: D-BAR-TYPE
  } while (n < 3);
  return upc_wait;                                 // error: D-BAR-EXPR
}
int x = upc_notify;                                // error: D-BAR-EXPR
