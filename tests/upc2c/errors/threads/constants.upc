// Sizes that depend on THREADS are no constants; the sizes of UPC's own operators are.
shared [4] int a[4 * THREADS];
shared struct s { int x; } b[THREADS];
enum { kBlock = upc_blocksizeof(a), kLocal = upc_localsizeof(a), kElement = upc_elemsizeof(b) };
_Static_assert(kBlock == 4 && kLocal == 16 && kElement == 4, "sizes");
char part[upc_localsizeof(a)];
char all[sizeof(a)];                               // error: D-SIZEOF-CONST at 'sizeof'
enum { kSize = sizeof(a) / sizeof(a[0]) };         // error: D-SIZEOF-CONST
_Static_assert(sizeof b > 4, "several");           // error: D-SIZEOF-CONST
struct copy {
  char bytes[sizeof(shared int[THREADS])];         // error: D-SIZEOF-CONST
};
int f(int n) {
  char on_stack[sizeof(a)];
  static char lasting[sizeof(a)];                  // error: D-SIZEOF-CONST
  switch (n) {
    case sizeof(a):                                // error: D-SIZEOF-CONST
      return (int)sizeof(on_stack);
  }
  THREADS--;                                       // error: D-THR-LV
  return lasting[0] + sizeof(*&a) > n;
}
