// The same rules for types that no object has, and through typedefs.
typedef int row_t[10];
typedef shared int spread_t[10 * THREADS];
typedef shared [] char local_t[8];
spread_t good;
shared row_t rows[THREADS];
shared [THREADS] row_t *by_threads;                // error: D-LAY-CONST
local_t buffer;
shared row_t no_rows[7];                           // error: D-THR-NONE
static shared [2] row_t block_of_rows[3];          // error: D-THR-NONE
spread_t many[THREADS];                            // error: D-THR-TWICE at 'many'
typedef spread_t table_t[THREADS];                 // error: D-THR-TWICE
shared int (*p)[THREADS][2 * THREADS];             // error: D-THR-TWICE
shared int (*one)[4][THREADS];
void f(shared int a[THREADS][10 * THREADS], int n);
local_t wide[THREADS];                             // warning: D-THR-INDEF
shared [] double table[THREADS][4];                // warning: D-THR-INDEF
typedef shared int odd_t[THREADS - 1];             // error: D-THR-FORM
shared int (*q)[1 + THREADS];                      // error: D-THR-FORM
