// [*] needs an object whose number of elements is known (6.5.1.1).
shared [*] int good[10 * THREADS];
shared [*] int two_dimensions[THREADS][8];
shared [*] int scalar;
shared [*] int *pointer;                           // error: D-STAR-PTR at '*'
shared [*] int (*to_array)[10];                    // error: D-STAR-PTR
typedef shared [*] int name_t[2 * THREADS];        // error: D-STAR-TYPEDEF at 'name_t'
typedef shared [*] double other_t;                 // error: D-STAR-TYPEDEF
void takes(shared [*] int a[10]);                  // error: D-STAR-PARAM
void takes_more(int n, shared [*] int a[]);        // error: D-STAR-PARAM
extern shared [*] int incomplete[];                // error: D-STAR-INCOMPLETE at 'incomplete'
extern shared [*] double also[];                   // error: D-STAR-INCOMPLETE
unsigned long sizes(void) {
  return upc_blocksizeof(shared [*] int[4 * THREADS])
         + upc_blocksizeof(shared [*] int[])       // error: D-STAR-CAST
         + sizeof((shared [*] int *)0);            // error: D-STAR-PTR
}
