// Conversions by assignment (6.4.3): none between private pointers and pointers-to-shared, none that changes
// block size or element type but to and from shared void *.
struct point { int x, y; } point;
shared [4] int *p4;
shared int *p1;
shared void *any;
const shared int fixed;
int *private_pointer, n;
double d;
shared [4] int *gives(shared [4] int *p, int n);
void f(void) {
  any = p4;
  p4 = any;
  p4 = 0;
  p4 = (void *)0;
  p4 = p1;                                         // error: D-CNV-LAYOUT at '='
  shared [2] int *initial = p4;                    // error: D-CNV-LAYOUT
  private_pointer = p4;                            // error: D-CNV-LOCAL at '='
  void *nothing = any;                             // error: D-CNV-LOCAL
  p4 = private_pointer;                            // error: D-CNV-SHARED at '='
  any = &n;                                        // error: D-CNV-SHARED
  any = "text";                                    // error: D-CNV-SHARED
  p4 = 3;                                          // error: D-CNV-INT at '='
  n = p4;                                          // error: D-CNV-INT
  p1 = &fixed;                                     // warning: D-CNV-QUAL
  p4 = d;                                          // error: D-CONVERSION
  d = p4;                                          // error: D-CONVERSION
  p4 = point;                                      // error: D-CONVERSION
  gives(p1, 1);                                    // error: D-CNV-LAYOUT
  gives(private_pointer, 1);                       // error: D-CNV-SHARED
  p1 = gives(p4, p4);                              // error: D-CNV-INT; error: D-CNV-LAYOUT
  _Bool any_there = p4;
}
int *local(void) { return p1; }                    // error: D-CNV-LOCAL
shared int *shared_one(int n) { return n; }        // error: D-CNV-INT
