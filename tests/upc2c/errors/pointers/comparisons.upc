// Comparisons of pointers-to-shared: of equal types, with shared void * for equality, with null.
shared [4] int *p4;
shared [4] long *q4;
shared int *p1;
shared void *any;
int *private_pointer, n;
void f(void) {
  n = p4 == p4 && p4 != 0 && p4 == (void *)0 && any == p4 && p1 < p1 + 1 && !p4;
  n = p4 == p1;                                    // error: D-CMP-BLOCK at '=='
  n = p4 < p1;                                     // error: D-CMP-BLOCK
  n = p4 != q4;                                    // error: D-CMP-BLOCK
  p4 = n ? p4 : p1;                                // error: D-CMP-BLOCK
  n = p4 == private_pointer;                       // error: D-CMP-MIXED at '=='
  n = private_pointer >= p1;                       // error: D-CMP-MIXED
  n = p4 == 3;                                     // error: D-CMP-MIXED
  n = p4 > 0;                                      // error: D-CMP-MIXED
  n = any < p4;                                    // error: D-CMP-VOID at '<'
  n = any >= any;                                  // error: D-CMP-VOID
}
