// Declarations in different functions name one object.
void f(void) {
  extern shared int counter;
  extern shared [4] double vector[4 * THREADS];
  counter = 1;
}
void g(void) {
  extern shared [2] int counter;                   // error: D-LINK-TYPE at 'counter'
  extern shared [4] double vector[4 * THREADS];
  counter = 2;
}
shared double vector[THREADS];                     // error: D-LINK-TYPE
static void h(void) {
  extern int counter;                              // error: D-LINK-TYPE
  counter = 2;
}
extern shared int *pointer;
extern shared [3] int *pointer;                    // error: D-REDECL
union u { int x; };
struct u { int y; };                               // error: D-REDEFINITION
int k(a, b) int a, c; { return a; }                // error: D-REDEFINITION
