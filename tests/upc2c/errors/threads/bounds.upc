// The bounds of a shared array with a definite block size, where THREADS is not known (6.5.2.1): THREADS in
// one of them, alone or times a constant.
enum { kRows = 6 };
shared int a[THREADS], b[kRows * THREADS], c[THREADS * kRows], d[(THREADS) * (2 * kRows)], e[3][THREADS][5];
shared [] int on_thread_0[100];
shared [4] struct { int x, y; } f[4 * THREADS];
shared int scalar;
extern shared int elsewhere[];
shared int fixed[100];                             // error: D-THR-NONE at 'fixed'
shared [4] double blocks[4][5];                    // error: D-THR-NONE
shared int listed[] = {1, 2, 3};                   // error: D-THR-NONE
shared int square[THREADS][THREADS];               // error: D-THR-TWICE at 'square'
shared [2] int cube[2 * THREADS][3][THREADS];      // error: D-THR-TWICE
shared int plus[THREADS + 1];                      // error: D-THR-FORM at 'THREADS + 1'
shared int squared[THREADS * THREADS];             // error: D-THR-FORM
shared int negative[-3 * THREADS];                 // error: D-THR-FORM at '-'
shared int half[THREADS / 2];                      // error: D-THR-FORM
shared int casted[(int)THREADS];                   // error: D-THR-FORM
int n;
shared int by_variable[n * THREADS];               // error: D-THR-FORM
shared [] int all_on_0[THREADS];                   // warning: D-THR-INDEF at 'all_on_0'
shared int less[-1], of_rows[3][-2];               // error: D-THR-FORM at '-1'; error: D-THR-FORM at '-2'
