/* Old and GNU C that stands in UPC programs. */
__extension__ typedef __signed__ long long int ll __attribute__((__aligned__(16)));
typedef int v4si __attribute__((vector_size(16)));
typedef int word __attribute__((mode(DI)));
#pragma pack(push, 2)
struct packed { char c; int i; union { float f; struct { short a, b; }; }; } __attribute__((packed));
#pragma pack(pop)
enum color { red, green = 5, blue __attribute__((deprecated)) = green * 2, };
extern int printf(const char *, ...) __attribute__((format(printf, 1, 2))) __asm__("" "printf");
int (*(*table[3])(int, char *(*)(void)))[5];
static const int list[] = { [0 ... 3] = 1, [5] = 2, 3 }, *alias = &list[1];
struct point { int x, y; } origin = { x: 1, .y = 2 }, points[] = { { 1, 2 }, [3].x = 4 };
_Static_assert(sizeof(int) == 4, "int");
_Alignas(64) char buffer[64];
_Thread_local int per_thread;
asm(".globl nothing");
old(a, b, c) int a; char *b; { return a + *b + c; }
main() { return old(1, "x", 2); }
static inline __attribute__((always_inline)) int square(int n) { return n * n; }
int variable(int n, int m[n][n], char *restrict s, int (*f)(int), ...)
{
    __label__ out;
    int vla[n][2 * n + 1], total = ({ int t = 0; for (int i = 0; i < n; i++) t += m[i][i]; t; });
    void *jump[] = { &&first, &&out };
    __auto_type copy = total;
    typeof(copy) again = copy ?: 3;
    int nested(int k) { return k + total; }
    switch (n) { case 0 ... 9: total++; case 10: __attribute__((fallthrough)); default: break; }
    asm volatile ("" : "+r" (total), [c] "=m" (copy) : "i" (4), "r" (s) : "memory");
    goto *jump[n & 1];
first:
    total += _Generic(total, int: 1, default: 2) + __builtin_offsetof(struct point, y) + sizeof vla + _Alignof(ll);
    total += __builtin_types_compatible_p(int, long) + __builtin_choose_expr(1, 2, "x") + (struct point){ 1, .y = 2 }.y;
    __builtin_va_list ap;
    __builtin_va_start(ap, f);
    total += __builtin_va_arg(ap, int) + square((unsigned char)-1) + nested(+1) + (__real__ (1.0 + 2.0i));
    __builtin_va_end(ap);
    if (__builtin_expect(total > 0x10uLL, 0)) goto out; else do { again--; } while (again > 0);
out: ;
    return (total, again) + 'a' + L'\x41' + sizeof "a" "b" + f(3) + (int)1e3f + 0b101;
}
