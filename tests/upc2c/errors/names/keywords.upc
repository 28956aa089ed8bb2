// Words of UPC as names (in C text they stand between #pragma upc c_code and upc_code).
int strict = 1;                                    // error: D-KEY at 'strict'
struct s {
  int shared;                                      // error: D-KEY
  int relaxed[3];                                  // error: D-KEY
};
int f(struct s *p) {
  return p->strict;                                // error: D-KEY
}
#pragma upc c_code
int strict_in_c(int shared, int relaxed) {
  int strict = shared + relaxed;
  return strict;
}
#pragma upc upc_code
int g(int n) {
  goto shared;                                     // error: D-KEY
  return n;
}
