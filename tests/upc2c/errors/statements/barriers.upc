// Barriers are statements with an operand that converts to int (6.6.1), and notify and wait alternate.
shared int *p;
struct point { int x; } s;
int n;
double d;
void f(void) {
  upc_barrier;
  upc_barrier n + 1;
  upc_notify d;
  upc_wait 'x';
  if (n) upc_barrier;
  upc_fence;
  upc_barrier p;                                   // error: D-BAR-TYPE at 'p'
  upc_barrier s;                                   // error: D-BAR-TYPE
  upc_barrier "name";                              // error: D-BAR-TYPE
  n = upc_barrier;                                 // error: D-BAR-EXPR at 'upc_barrier'
  f(upc_fence);                                    // error: D-BAR-EXPR
  upc_fence 1;                                     // error: D-SYNTAX at '1'
}
void g(void) {
  upc_notify;
  upc_notify;                                      // warning: D-BAR-ORDER at 'upc_notify'
  upc_wait;
  n++;
  upc_wait 3;                                      // warning: D-BAR-ORDER
  upc_notify;
  upc_barrier;                                     // warning: D-BAR-ORDER
}
void h(void) {
  upc_notify;
  if (n) upc_wait;
  else upc_wait;
  upc_notify;
  upc_wait;
}
