// strict and relaxed: one of them, and with shared in the same list (6.5.1).
strict shared int ready;
relaxed shared [4] double *vector;
shared strict int *flag, * strict shared where;
strict relaxed shared int both;                    // error: D-MODE-DUP
typedef strict shared int strict_t;
relaxed strict_t again;                            // error: D-MODE-DUP
shared int * relaxed strict shared inner;          // error: D-MODE-DUP
strict int private_flag;                           // error: D-MODE-NOSHR at 'strict'
relaxed double private_sum;                        // error: D-MODE-NOSHR
int *strict pointer;                               // error: D-MODE-NOSHR
struct s {
  strict int member;                               // error: D-MODE-NOSHR
  strict shared int *allowed;
};
int f(relaxed int parameter) {                     // error: D-MODE-NOSHR
  strict_t *local = &ready;
  return parameter + *local;
}
