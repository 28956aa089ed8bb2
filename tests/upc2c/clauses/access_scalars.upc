/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.4: reads and writes of shared objects of every scalar type, relaxed and strict, also on other
 * threads; values, signs and conversions are those of C. */
#include <complex.h>
#include "check.h"

shared [2] double pairs[2 * THREADS];
enum small { none, some = -3, many = 100000 };
typedef enum { zero, one } unnamed;
typedef int (*function)(int);
typedef shared int *to_int;
typedef shared [2] double *to_blocked;
static int twice(int n) { return 2 * n; }
typedef int four_ints __attribute__((vector_size(16)));

/* Each thread writes the next thread's element, then reads its own. */
#define TEST(NAME, T, VALUE)                                                    \
    shared T NAME[THREADS];                                                     \
    strict shared [2] T NAME##_strict[2 * THREADS];                             \
    static void test_##NAME(void)                                               \
    {                                                                           \
        const int next = (MYTHREAD + 1) % THREADS;                              \
        T value = VALUE, copy;                                                  \
        NAME[next] = value;                                                     \
        copy = NAME##_strict[2 * next + 1] = VALUE;                             \
        CHECK(copy == value);                                                   \
        upc_barrier;                                                            \
        CHECK(NAME[MYTHREAD] == value && NAME##_strict[2 * MYTHREAD + 1] == value); \
        copy = *(NAME + MYTHREAD);                                              \
        CHECK(copy == value && !(NAME##_strict[2 * MYTHREAD]));                 \
        upc_barrier;                                                            \
    }

TEST(c, char, -7)
TEST(sc, signed char, -128)
TEST(uc, unsigned char, 200)
TEST(s, short, -30000)
TEST(us, unsigned short, 60000)
TEST(i, int, -2000000000)
TEST(u, unsigned, 4000000000u)
TEST(l, long, -5000000000)
TEST(ul, unsigned long, 0xffffffffffffff01ul)
TEST(ll, long long, -1ll << 62)
TEST(ull, unsigned long long, ~0ull - 5)
TEST(b, _Bool, 17)
TEST(e, enum small, some)
TEST(ue, unnamed, one)
TEST(f, float, 1.25f)
TEST(d, double, -1e300)
TEST(ld, long double, 1e-4000L)
TEST(fc, float complex, 1.5f + 2.0f * I)
TEST(dc, double complex, 3.0 - 4.0 * I)
TEST(i128, __int128, -((__int128)1 << 100))
TEST(pts, to_int, &i[THREADS - 1])
TEST(blocked_pts, to_blocked, &pairs[1])

char *shared text[THREADS];
shared function call[THREADS];
shared four_ints vectors[THREADS];
shared int flag;
shared double real;
shared unsigned char byte;

static void test_conversions(void)
{
    signed char back;
    double wide;
    if (MYTHREAD != 0) return;
    flag = 3.99;
    CHECK(flag == 3 && (flag = -2.5) == -2);
    real = flag;
    CHECK(real == -2.0 && (real = 1) / 2 == 0.5);
    byte = 300;
    CHECK(byte == 44 && (byte = -1) == 255 && byte + 1 == 256 && (byte << 8) == 65280);
    back = byte;
    CHECK(back == -1 && -byte == -255 && ~byte == -256);
    wide = byte = flag = 1000;
    CHECK(flag == 1000 && byte == 232 && wide == 232.0);
    b[0] = 0.5;
    CHECK(b[0] == 1);
    b[0] = (shared int *)0;
    CHECK(!b[0] && (b[0] = &flag) == 1);
    s[0] = c[0] = -1;
    CHECK(s[0] == -1 && us[0] + 0 == 60000 && (unsigned short)s[0] == 65535);
    u[0] = s[0];
    CHECK(u[0] == 4294967295u && u[0] > 0 && (ll[0] = u[0]) == 4294967295ll);
    CHECK(s[0] < 0 && c[0] / 2 == 0 && sizeof(+c[0]) == sizeof(int) && call[0](21) == 42);
    vectors[0] = (four_ints){ 1, 2, 3, 4 } + vectors[0];
    CHECK((vectors[0] * 2)[3] == 8);
    CHECK(creal(dc[0] * dc[0]) == -7.0 && *text[0] == 't' && text[0][3] == 't');
    i128[0] = (i128[0] >> 100) * 3;
    CHECK(i128[0] == -3);
}

int main(void)
{
    test_c(); test_sc(); test_uc(); test_s(); test_us(); test_i(); test_u(); test_l(); test_ul(); test_ll();
    test_ull();
    test_b(); test_e(); test_ue(); test_f(); test_d(); test_ld(); test_fc(); test_dc(); test_i128();
    test_pts(); test_blocked_pts();
    text[MYTHREAD] = "text";
    call[MYTHREAD] = twice;
    upc_barrier;
    test_conversions();
    return finish();
}
