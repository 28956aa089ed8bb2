// A typedef's layout counts in every list of qualifiers that it is part of (6.5.1.1).
typedef shared [4] double row_t;
typedef row_t rows_t[4 * THREADS];
typedef double plain_t[4];
typedef shared void anything_t;

shared row_t same[4 * THREADS];
shared [4] row_t equal[4 * THREADS];
shared [5] row_t other[5 * THREADS];               // error: D-LAY-DUP at 'shared [5]'
shared [] rows_t of_array;                         // error: D-LAY-DUP
shared [3] plain_t elements[THREADS];
shared [2] void *sized;                            // error: D-LAY-VOID at 'shared [2]'
shared [] void *indefinite;                        // error: D-LAY-VOID
shared [4] anything_t *by_typedef;                 // error: D-LAY-VOID
extern row_t *from(shared [6] row_t *a);           // error: D-LAY-DUP
shared [1048580] plain_t big[THREADS];             // error: D-LAY-BIG
shared [0 - 1] plain_t below[THREADS];             // error: D-LAY-NEG
double size;
shared [(int)sizeof(double) * (int)size] plain_t unknown[THREADS];  // error: D-LAY-CONST
