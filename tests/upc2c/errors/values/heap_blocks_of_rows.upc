// The same with initialisers and arrays as elements.
// options: -Werror=upc-heap-size
#include <upc.h>
typedef struct { double re, im; } number_t;
shared [8] number_t *f(int n) {
  shared [8] number_t(*rows)[8] = upc_all_alloc(n, 8 * sizeof(number_t));
  shared [8] number_t *flat = upc_all_alloc(n, (8 * sizeof(number_t)));
  shared [4] number_t *wrong = upc_all_alloc(n, 8 * sizeof(number_t));  // error: D-HEAP-SIZE
  if (n) return (upc_global_alloc(n, sizeof(number_t)));                // error: D-HEAP-SIZE
  return n > 1 ? flat : *rows + (wrong == 0);
}
