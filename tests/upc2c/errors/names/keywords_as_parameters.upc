// Words of UPC as names of parameters and functions.
int f(int n, int strict);                          // error: D-KEY at 'strict'
int g(double relaxed, int n) { return n; }         // error: D-KEY at 'relaxed'
void shared(void);                                 // error: D-KEY at 'shared'
