// The same through structures and typedefs; members of shared structures have indefinite block size.
typedef struct point { float x, y; } point_t;
struct opaque;
shared [2] point_t grid[2 * THREADS];
typedef shared [2] point_t *cell_t;
extern shared [] struct opaque *handle;
struct list {
  cell_t head, tail;
  shared void *data;
  point_t *cached;
} l;
void f(void) {
  float x = (l.tail - l.head)->x;                  // error: D-MEMBER
  long n = l.tail - grid;
  n = l.tail - l.cached;                           // error: D-ARI-MIXED
  n = &grid[1] - &grid[1].x;                       // error: D-ARI-BLOCK
  n = (shared [2] float *)l.head - l.head;         // error: D-ARI-TYPE
  n = l.data - l.data;                             // error: D-ARI-VOID
  x = handle[1];                                   // error: D-ARI-INCOMPLETE
  cell_t c = n ? l.head : l.cached;                // error: D-ARI-MIXED
  l.data = &l.data[0];                             // error: D-ARI-VOID
  n = &grid[0].x - &grid[1].y;
}
