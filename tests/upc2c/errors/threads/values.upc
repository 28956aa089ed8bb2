// THREADS and MYTHREAD are values of type int (6.3), and no constants where THREADS is not known.
int n, *p;
void f(void) {
  THREADS = 4;                                     // error: D-THR-LV at '='
  MYTHREAD++;                                      // error: D-THR-LV
  p = &THREADS;                                    // error: D-THR-LV at '&'
  (MYTHREAD) += 2;                                 // error: D-THR-LV
  n = THREADS * MYTHREAD;
  switch (n) {
    case THREADS:                                  // error: D-CONST at 'THREADS'
    case 4 ... MYTHREAD:                           // error: D-CONST at 'MYTHREAD'
      break;
  }
}
int private_array[THREADS];                        // error: D-CONST
struct s {
  int member[2 * THREADS];                         // error: D-CONST
  int bits : THREADS;                              // error: D-CONST
};
enum { kThreads = THREADS };                       // error: D-CONST
_Static_assert(THREADS > 1, "several threads");    // error: D-CONST
_Alignas(THREADS) int aligned;                     // error: D-CONST
int sparse[] = {[THREADS] = 1};                    // error: D-CONST
int size = sizeof(int[THREADS]) > 4;               // error: D-INI-CONST
