// The group of misplaced pragmas as errors.
// options: -Werror=upc-pragma
shared int x;
int f(
#pragma upc strict                                 // error: D-PRG-PLACE
    int n) {
  x = n;
#pragma upc relaxes                                // error: D-PRG-WORD
  return x;
}
