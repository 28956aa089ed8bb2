// #pragma upc stands between declarations of a file or first in a block (6.7.1).
#pragma upc strict
shared int a, b;
void f(void) {
#pragma upc relaxed
  a = 1;
#pragma upc strict                                 // warning: D-PRG-PLACE at '#'
  b = 2;
  {
#pragma upc strict
    b = 3;
  }
}
#pragma upc lenient                                // warning: D-PRG-WORD at '#'
void g(int n) {
  if (n)
#pragma upc relaxed                                // warning: D-PRG-PLACE
    a = 2;
}
#pragma upc                                        // warning: D-PRG-WORD
struct s {
  int x;
};
