// Initialisers of objects with static storage are evaluated before main: no calls, no side effects, nothing
// automatic; what is private and no pointer-to-shared needs a constant, as in C.
shared int x = 3, y = 2 * sizeof(int), z[2 * THREADS] = {1, [1] = 2};
shared [4] int a[4 * THREADS];
shared [4] int *p = a + 2, *q = &a[1];
shared int *const here = &z[1];
static double private_value = 3.5;
int calls(void);
int n;
shared int called = calls();                       // error: D-INI-CONST at 'calls'
shared int counted = n++;                          // error: D-INI-CONST at 'n'
shared int assigned = (n = 3);                     // error: D-INI-CONST
shared int values[2 * THREADS] = {1, calls()};     // error: D-INI-CONST
shared [4] int *found = a + calls();               // error: D-INI-CONST
int read = x;                                      // error: D-INI-CONST at 'x'
int *local = (int *)&x;                            // error: D-INI-CONST
int mine = MYTHREAD;                               // error: D-INI-CONST at 'MYTHREAD'
long all = THREADS * 4L;                           // error: D-INI-CONST
int equal = &x == &z[0];                           // error: D-INI-CONST
unsigned long size = sizeof(a);                    // error: D-INI-CONST
struct pair { int n; shared [4] int *p; } pair = {2, a};
void f(int parameter) {
  static shared int by_parameter = parameter;      // error: D-INI-CONST at 'parameter'
  int automatic = 3;
  static shared [4] int *offset = a + automatic;   // error: D-INI-CONST
  static int private_one = MYTHREAD;               // error: D-INI-CONST
  int of_each_call = x + calls() + MYTHREAD;
}
shared int cells[THREADS];
int *cell = cells;                                 // error: D-CNV-LOCAL at 'cells'
