// With a number of threads that is known, THREADS is a constant, and no bound needs it.
// options: -T4
shared int a[100], b[THREADS + 1], c[THREADS][THREADS];
shared [THREADS] int *p;
int d[THREADS], e[sizeof(a)];
enum { kThreads = THREADS };
void f(int n) {
  switch (n) {
    case THREADS:
    case sizeof(a):
      break;
    case MYTHREAD:                                 // error: D-CONST
      break;
  }
  THREADS = 3;                                     // error: D-THR-LV
}
