// Declarations of one object agree in block size, bounds and qualifiers.
extern shared [4] int a[4 * THREADS];
shared [4] int a[4 * THREADS];
extern shared int b[THREADS];
shared [2] int b[2 * THREADS];                     // error: D-REDECL at 'b'
extern shared int c[];
shared int c[3 * THREADS];
extern shared int c[4 * THREADS];                  // error: D-REDECL
int d;
shared int d;                                      // error: D-REDECL
void f(shared int *);
void f(shared [2] int *p) {}                       // error: D-REDECL
typedef shared int name_t;
typedef shared [1] int name_t;
typedef shared [2] int name_t;                     // error: D-REDECL
shared int e = 1;
shared int e = 2;                                  // error: D-REDEFINITION at 'e'
struct s { shared int *p; };
struct s { shared int *p; };                       // error: D-REDEFINITION
