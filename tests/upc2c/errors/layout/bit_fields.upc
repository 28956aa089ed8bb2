// Widths that no bit-field has, and bit-fields in shared memory whose place only the C compiler knows.
enum { NONE, THREE = 3 };
struct widths {
  int of_three : THREE;
  unsigned all : 32;
  long wide : 64;
  _Bool truth : 1;
  int : 0;
  int none : NONE;                                 // error: D-CONST at 'NONE'
  int negative : -1;                               // error: D-CONST at '-1'
  char long_one : 9;                               // error: D-CONST at '9'
  unsigned long longest : 65;                      // error: D-CONST at '65'
  _Bool two : 2;                                   // error: D-CONST at '2'
  int : -1;                                        // error: D-CONST at '-1'
  int chosen : THREADS;                            // error: D-CONST at 'THREADS'
};
struct counted { int of_bits : __builtin_popcount(255), next : 4, plain; };
shared struct counted there;
struct counted here;
int f(shared struct counted *p) {
  here.next = here.of_bits;
  there.plain = there.next;                        // error: D-MEMBER at 'next'
  p->of_bits = 1;                                  // error: D-MEMBER at 'of_bits'
  return p->plain;
}
