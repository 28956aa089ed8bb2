/* Conversions of every kind that is allowed, and the size operators. */
typedef unsigned long size_t;
typedef _Bool bool;
struct s { float f; const char *name; };
shared [3] struct s blocks[3 * THREADS];
shared struct s cyclic[THREADS];
shared [] struct s *indefinite;
shared void *generic, *shared generic_in_shared;
const volatile shared int watched;
strict shared long ticket = 1L << 40, list[THREADS] = { 1, 2u, 'c', 0x10, 1.5 };
static shared [2] _Complex double z[2 * THREADS];
static long double shared wide[THREADS];
_Static_assert(upc_blocksizeof(blocks) == 3 && upc_elemsizeof(cyclic) == sizeof(struct s), "sizes");
char bytes[upc_localsizeof(blocks)];
static size_t sizes(void)
{
    return sizeof blocks + sizeof(blocks[0]) + sizeof(shared int *) + upc_localsizeof(shared [2] int[2 * THREADS])
           + upc_blocksizeof(*indefinite) + upc_elemsizeof cyclic + __alignof__(blocks[0]) + sizeof(size_t[MYTHREAD + 1]);
}
int main(int argc, char *argv[])
{
    indefinite = (shared [] struct s *)blocks;
    generic = indefinite + 1;
    generic_in_shared = generic;
    shared [3] struct s *p = generic_in_shared, *q = (shared [3] struct s *)(shared struct s *)p;
    struct s *local = (struct s *)&blocks[MYTHREAD * 3], copy = *p;
    bool there = p, same = p == q && generic == p && q != 0;
    if (!p || (generic && there)) watched ? (void)0 : (void)(argc = watched);
    p = argc > 1 ? q : 0, q += argc, q--, *p = copy, p[1] = *local, p->f = (float)(int)ticket;
    ticket += list[0] <<= 2;
    z[MYTHREAD] = z[0] * 2.0i + __real__ z[1];
    wide[MYTHREAD] = -wide[0] / 3;
    __typeof__(local->f) f = blocks[0].f;
    __auto_type g = &blocks[1].name;
    *g = argv[0];
    return (int)(p - q) + same + (p < q) + (int)f + _Generic(p, shared [3] struct s *: 1, default: 2) + (int)sizes();
}
