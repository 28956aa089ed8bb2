// What is no UPC at all: one message a mistake.
int x = ;                                          // error: D-SYNTAX at ';'
int int y;                                         // error: D-SYNTAX
void f(void) {
  x = 3                                            // error: D-SYNTAX at '3'
  x = 4;
  upc_forall(x = 0; x < 3; x++) x = 1;             // error: D-SYNTAX at ')'
  if x) x = 1;                                     // error: D-SYNTAX
  x = (3;                                          // error: D-SYNTAX
}
shared int missing_semicolon                       // error: D-SYNTAX at 'missing'
shared int next;
void g(void) {
  x = (3                                           // error: D-SYNTAX at '3'
  ;
}
shared [4 int *p;                                  // error: D-SYNTAX
struct s { int a b; };                             // error: D-SYNTAX
