// The group of misplaced pragmas as errors.
// options: -Werror=upc-pragma
shared int x;
int f(
#pragma upc strict
    int n) {                                       // error: D-PRG-PLACE
  x = n;
#pragma upc relaxes
  return x;                                        // error: D-PRG-WORD
}
