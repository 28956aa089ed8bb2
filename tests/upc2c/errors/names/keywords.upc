// Words of UPC as names (in C text they stand between #pragma upc c_code and upc_code). Each is reported once.
int strict;                                        // error: D-KEY at 'strict'
struct s {
  int shared;                                      // error: D-KEY
  int relaxed[3];                                  // error: D-KEY
};
int strict = 1, *shared;
#pragma upc c_code
int strict_in_c(int shared, int relaxed) {
  int strict = shared + relaxed;
  return strict;
}
#pragma upc upc_code
int THREADS;                                       // error: D-KEY
double upc_forall[3];                              // error: D-KEY
