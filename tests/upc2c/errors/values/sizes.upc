// The size operators of UPC (6.4.1) take shared types and objects, with the constraints of sizeof.
struct opaque;
shared [4] int a[4 * THREADS], *p;
shared struct flags { unsigned bit : 1; int n; } s;
extern shared [2] int open[];
shared struct opaque *handle;
int n, *q;
unsigned long f(void) {
  return upc_localsizeof(a) + upc_blocksizeof(*p) + upc_elemsizeof(shared [4] int) + upc_blocksizeof(open)
         + upc_blocksizeof(n)                      // error: D-SIZE-NOSHR at 'upc_blocksizeof'
         + upc_localsizeof(int)                    // error: D-SIZE-NOSHR
         + upc_elemsizeof(p)                       // error: D-SIZE-NOSHR
         + upc_elemsizeof *q                       // error: D-SIZE-NOSHR
         + upc_localsizeof(s.bit)                  // error: D-OPERAND
         + upc_localsizeof(open)                   // error: D-INCOMPLETE
         + sizeof(open)                            // error: D-INCOMPLETE
         + upc_elemsizeof(*handle)                 // error: D-INCOMPLETE
         + upc_blocksizeof(shared void);           // error: D-INCOMPLETE
}
