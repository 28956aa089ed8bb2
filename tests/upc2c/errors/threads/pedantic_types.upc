// The same in a typedef and in the type of a pointer.
// options: -Wpedantic-upc
typedef shared int grid_t[2 * THREADS * 3];        // warning: D-THR-ASSOC
shared int (*rows)[3 * (THREADS * 2)];             // warning: D-THR-ASSOC
static shared int grid[6 * THREADS];
