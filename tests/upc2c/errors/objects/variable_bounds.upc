// No shared array has a bound that is known at run time only, not behind a pointer either.
int n;
shared [] int at_file_scope[n];                    // error: D-SHR-VLA
void f(int m, shared [] double a[m][m]) {
  static shared [] int local[m];                   // error: D-SHR-VLA
  a[0][0] = 1;                                     // error: D-SHR-VLA
  shared [] double(*row)[m] = a + 1;               // error: D-SHR-VLA
  int private_array[m];
  private_array[0] = 0;
}
shared int parameter_list(int k);                  // error: D-SHR-RET
typedef void handler_t(void);
void set(shared handler_t *h);                     // error: D-SHR-FUNC
