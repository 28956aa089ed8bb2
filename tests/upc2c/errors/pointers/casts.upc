// Casts (6.4.3): any between pointers-to-shared and to private pointers; none to a pointer-to-shared but of 0.
struct point { int x, y; };
shared [4] int *p4;
shared [4] struct point *points;
int *private_pointer, n;
double d;
void f(void) {
  p4 = (shared [4] int *)(shared int *)p4;
  p4 = (shared [4] int *)0;
  private_pointer = (int *)p4;
  p4 = (shared [4] int *)private_pointer;          // error: D-CAST-SHARED at '('
  p4 = (shared void *)&n;                          // error: D-CAST-SHARED
  p4 = (shared [4] int *)3;                        // error: D-CAST-INT at '('
  p4 = (shared [4] int *)(n + 1);                  // error: D-CAST-INT
  n = (shared int)n;                               // error: D-CAST-QUAL at 'shared'
  n = (int)(strict shared long)d;                  // error: D-CAST-QUAL
  n = (int)p4;                                     // warning: D-PTS-INT at '('
  unsigned long address = (unsigned long)points;   // warning: D-PTS-INT
  d = (double)p4;                                  // error: D-CONVERSION
  p4 = (shared [4] int *)d;                        // error: D-CONVERSION
  void (*called)(void) = (void (*)(void))p4;       // error: D-CONVERSION
  (void)p4;
  n = (_Bool)p4;
}
