// A file that ends too soon.
int f(void) {
  return (1 +  // error: D-SYNTAX