// Which loop is inside which.
// options: -Werror=upc-forall-nested
shared int a[THREADS];
void f(int i, int j) {
  upc_forall(i = 0; i < 3; i++; &a[i])
    for (j = 0; j < 3; j++)
      if (i > j) {
        upc_forall(int k = 0; k < 3; k++; k) a[k]++;   // error: D-FOR-NESTED
      }
  upc_forall(i = 0; i < 3; i++; ) {
    upc_forall(j = 0; j < 3; j++; j) a[j]++;
  }
}
