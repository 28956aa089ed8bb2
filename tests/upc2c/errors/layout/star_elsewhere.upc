// [*] in the places of functions and structures.
shared [*] char too_many[2000000 * THREADS];       // error: D-LAY-BIG
shared [*] int no_threads[100];                    // error: D-THR-NONE
struct node {
  int key;
  shared [*] struct node *next;                    // error: D-STAR-PTR
  shared [*] int data[4];                          // error: D-SHR-FIELD
};
typedef shared [*] struct node *link_t;            // error: D-STAR-PTR
typedef shared [*] long counts_t[THREADS];         // error: D-STAR-TYPEDEF
double sum(shared [*] double v[8], int n) {        // error: D-STAR-PARAM
  extern shared [*] float later[];                 // error: D-STAR-INCOMPLETE
  return upc_elemsizeof(shared [*] double[])       // error: D-STAR-CAST
         + upc_blocksizeof(shared [*] char[]);     // error: D-STAR-CAST
}
