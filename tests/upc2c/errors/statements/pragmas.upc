// #pragma upc stands between declarations of a file or first in a block (6.7.1).
#pragma upc strict
shared int a, b;
void f(void) {
#pragma upc relaxed
  a = 1;
#pragma upc strict
  b = 2;                                           // warning: D-PRG-PLACE
  {
#pragma upc strict
    b = 3;
  }
}
#pragma upc lenient
void g(int n) {                                    // warning: D-PRG-WORD
  if (n)
#pragma upc relaxed
    a = 2;                                         // warning: D-PRG-PLACE
}
#pragma upc
struct s {                                         // warning: D-PRG-WORD
  int x;
};
