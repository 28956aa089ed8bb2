/* SPDX-License-Identifier: BSD-3-Clause */
/* whirl2c.h: each family of operators against a computation in a wider type. No runtime; prints what
 * differs, and how many comparisons were made. */
#include "whirl2c.h"

#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

typedef __int128 wide;

static long comparisons, failures;

static void same(const char *what, wide got, wide want, wide x, wide y)
{
    comparisons++;
    if (got == want) return;
    if (failures++ < 20)
        printf("FAILED: %s of %lld, %lld: %lld instead of %lld\n", what, (long long)x, (long long)y,
               (long long)got, (long long)want);
}
static void same_real(const char *what, long double got, long double want, long double x)
{
    comparisons++;
    if (got == want || (isnan(got) && isnan(want))) return;
    if (failures++ < 20) printf("FAILED: %s of %Lg: %Lg instead of %Lg\n", what, x, got, want);
}

/* ---- Integers ---- */
static const long long numbers[] = {
    0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 32767, 65535, INT_MAX,
    (long long)INT_MAX + 1, UINT_MAX, (long long)UINT_MAX + 1, 1LL << 40, LLONG_MAX, -1, -2, -3, -4, -5, -7,
    -8, -9, -10, -31, -100, -128, -256, -32768, INT_MIN, (long long)INT_MIN - 1, -(1LL << 40), LLONG_MIN};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

static wide floor_div(wide x, wide y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); }
static wide ceil_div(wide x, wide y) { return x / y + (x % y != 0 && (x < 0) == (y < 0)); }

#define DIVISION(L, T)                                                                           \
    static void division_##L(T x, T y)                                                           \
    {                                                                                            \
        wide f = floor_div(x, y), c = ceil_div(x, y);                                            \
        same("_" #L "DIVFLOOR", _##L##DIVFLOOR(x, y), (T)f, x, y);                               \
        same("_" #L "DIVCEIL", _##L##DIVCEIL(x, y), (T)c, x, y);                                 \
        same("_" #L "MODFLOOR", _##L##MODFLOOR(x, y), (T)((wide)x - f * y), x, y);               \
        same("_" #L "MODCEIL", _##L##MODCEIL(x, y), (T)((wide)x - c * y), x, y);                 \
        same("_" #L "MOD", _##L##MOD(x, y), (T)((wide)x - f * y), x, y);                         \
        same("_" #L "MAX", _##L##MAX(x, y), (wide)x > (wide)y ? x : y, x, y);                    \
        same("_" #L "MIN", _##L##MIN(x, y), (wide)x < (wide)y ? x : y, x, y);                    \
    }
DIVISION(I4, int32_t)
DIVISION(I8, int64_t)
DIVISION(U4, uint32_t)
DIVISION(U8, uint64_t)

/* Shifts, one bit at a time. S and U: T as signed and as unsigned. */
#define SHIFTS(L, T, S, U, WIDTH)                                                                \
    static void shifts_##L(T x, int count)                                                       \
    {                                                                                            \
        wide left = (U)x, arithmetic = (S)x, logical = (U)x;                                     \
        int i, n = ((count % WIDTH) + WIDTH) % WIDTH;                                            \
        for (i = 0; i < n; i++) {                                                                \
            left = (U)(left * 2);                                                                \
            arithmetic = floor_div(arithmetic, 2);                                               \
            logical = logical / 2;                                                               \
        }                                                                                        \
        same("_" #L "SHL", _##L##SHL(x, count), (T)left, x, count);                              \
        same("_" #L "ASHR", _##L##ASHR(x, count), (T)arithmetic, x, count);                      \
        same("_" #L "LSHR", _##L##LSHR(x, count), (T)logical, x, count);                         \
    }
SHIFTS(I4, int32_t, int32_t, uint32_t, 32)
SHIFTS(I8, int64_t, int64_t, uint64_t, 64)
SHIFTS(U4, uint32_t, int32_t, uint32_t, 32)
SHIFTS(U8, uint64_t, int64_t, uint64_t, 64)

/* The low bits, bit by bit; the last one repeated for signed types. */
static wide low_bits(wide x, int bits, int is_signed)
{
    wide value = 0;
    int i;
    for (i = 0; i < bits; i++)
        if (x >> i & 1) value += (wide)1 << i;
    if (is_signed && (x >> (bits - 1) & 1)) value -= (wide)1 << bits;
    return value;
}
#define CVTL(L, T, IS_SIGNED, WIDTH)                                                             \
    static void cvtl_##L(T x)                                                                    \
    {                                                                                            \
        int bits;                                                                                \
        for (bits = 1; bits <= WIDTH; bits++)                                                    \
            same("_" #L "CVTL", _##L##CVTL(x, bits), low_bits(x, bits, IS_SIGNED), x, bits);     \
        same("_" #L "CVTL_1", _##L##CVTL_1(x), low_bits(x, 1, IS_SIGNED), x, 1);                 \
        same("_" #L "CVTL_8", _##L##CVTL_8(x), low_bits(x, 8, IS_SIGNED), x, 8);                 \
        same("_" #L "CVTL_16", _##L##CVTL_16(x), low_bits(x, 16, IS_SIGNED), x, 16);             \
        same("_" #L "CVTL_32", _##L##CVTL_32(x), low_bits(x, 32, IS_SIGNED), x, 32);             \
        same("_" #L "_CVTL_8", _##L##_CVTL_8(x), low_bits(x, 8, IS_SIGNED), x, 8);               \
        same("_" #L "_CVTL_16", _##L##_CVTL_16(x), low_bits(x, 16, IS_SIGNED), x, 16);           \
        same("_" #L "_CVTL_32", _##L##_CVTL_32(x), low_bits(x, 32, IS_SIGNED), x, 32);           \
    }
CVTL(I4, int32_t, 1, 32)
CVTL(I8, int64_t, 1, 64)
CVTL(U4, uint32_t, 0, 32)
CVTL(U8, uint64_t, 0, 64)

static void integers(void)
{
    int i, j, count;
    for (i = 0; i < COUNT; i++) {
        long long x = numbers[i];
        same("_I4ABS", _I4ABS((int32_t)x), (int32_t)((int32_t)x < 0 ? -(wide)(int32_t)x : (int32_t)x), x, 0);
        same("_I8ABS", _I8ABS(x), (int64_t)(x < 0 ? -(wide)x : x), x, 0);
        cvtl_I4((int32_t)x), cvtl_I8(x), cvtl_U4((uint32_t)x), cvtl_U8((uint64_t)x);
        for (count = -70; count <= 140; count++) {
            shifts_I4((int32_t)x, count), shifts_U4((uint32_t)x, count);
            shifts_I8(x, count), shifts_U8((uint64_t)x, count);
        }
        for (j = 0; j < COUNT; j++) {
            long long y = numbers[j];
            if ((int32_t)y != 0) division_I4((int32_t)x, (int32_t)y), division_U4((uint32_t)x, (uint32_t)y);
            if (y != 0) division_I8(x, y), division_U8((uint64_t)x, (uint64_t)y);
        }
    }
}

/* ---- Floating to integer ---- */
static wide whole(long double x, char how) /* x as an integer; r, t, c or f */
{
    wide t = (wide)x;
    long double rest = x - (long double)t; /* exact: |x| < 2^64 has at most 64 bits */
    if (how == 'c') return t + (rest > 0);
    if (how == 'f') return t - (rest < 0);
    if (how == 'r') return t + (rest >= 0.5L) - (rest <= -0.5L);
    return t;
}
#define TO_INTEGER(F, TF)                                                                        \
    static void to_integer_##F(TF x)                                                             \
    {                                                                                            \
        same("_I4" #F "RND", _I4##F##RND(x), (int32_t)whole(x, 'r'), whole(x, 't'), 0);          \
        same("_I4" #F "TRUNC", _I4##F##TRUNC(x), (int32_t)whole(x, 't'), whole(x, 't'), 0);      \
        same("_I4" #F "CEIL", _I4##F##CEIL(x), (int32_t)whole(x, 'c'), whole(x, 't'), 0);        \
        same("_I4" #F "FLOOR", _I4##F##FLOOR(x), (int32_t)whole(x, 'f'), whole(x, 't'), 0);      \
        same("_U4" #F "RND", _U4##F##RND(x), (uint32_t)whole(x, 'r'), whole(x, 't'), 0);         \
        same("_U4" #F "TRUNC", _U4##F##TRUNC(x), (uint32_t)whole(x, 't'), whole(x, 't'), 0);     \
        same("_U4" #F "CEIL", _U4##F##CEIL(x), (uint32_t)whole(x, 'c'), whole(x, 't'), 0);       \
        same("_U4" #F "FLOOR", _U4##F##FLOOR(x), (uint32_t)whole(x, 'f'), whole(x, 't'), 0);     \
        same("_I8" #F "RND", _I8##F##RND(x), (int64_t)whole(x, 'r'), whole(x, 't'), 0);          \
        same("_I8" #F "TRUNC", _I8##F##TRUNC(x), (int64_t)whole(x, 't'), whole(x, 't'), 0);      \
        same("_I8" #F "CEIL", _I8##F##CEIL(x), (int64_t)whole(x, 'c'), whole(x, 't'), 0);        \
        same("_I8" #F "FLOOR", _I8##F##FLOOR(x), (int64_t)whole(x, 'f'), whole(x, 't'), 0);      \
    }                                                                                            \
    static void to_U8_##F(TF x)                                                                  \
    {                                                                                            \
        same("_U8" #F "RND", _U8##F##RND(x), (uint64_t)whole(x, 'r'), whole(x, 't'), 0);         \
        same("_U8" #F "TRUNC", _U8##F##TRUNC(x), (uint64_t)whole(x, 't'), whole(x, 't'), 0);     \
        same("_U8" #F "CEIL", _U8##F##CEIL(x), (uint64_t)whole(x, 'c'), whole(x, 't'), 0);       \
        same("_U8" #F "FLOOR", _U8##F##FLOOR(x), (uint64_t)whole(x, 'f'), whole(x, 't'), 0);     \
    }
TO_INTEGER(F4, float)
TO_INTEGER(F8, double)
TO_INTEGER(FQ, long double)

static void reals(void)
{
    static const long double parts[] = {0, 0.25L, 0.49999997L, 0.5L, 0.500001L, 0.75L, 0.99999L};
    static const long double wholes[] = {0, 1, 2, 3, 126, 127, 32767, 65536, 8388607, 2147483646.0L,
                                         2147483647.0L, 4294967295.0L, 1e10L, 4503599627370495.0L, 1e17L};
    unsigned i, j;
    int sign;
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (j = 0; j < sizeof wholes / sizeof wholes[0]; j++)
            for (sign = -1; sign <= 1; sign += 2) {
                volatile long double q = sign * (wholes[j] + parts[i]);
                volatile double d = (double)q;
                volatile float f = (float)q;
                to_integer_F4(f), to_integer_F8(d), to_integer_FQ(q);
                to_U8_F4(f), to_U8_F8(d), to_U8_FQ(q);
                same_real("_F4ABS", _F4ABS(f), f < 0 ? -f : f, f);
                same_real("_F8ABS", _F8ABS(d), d < 0 ? -d : d, d);
                same_real("_FQABS", _FQABS(q), q < 0 ? -q : q, q);
                same_real("_F4MAX", _F4MAX(f, 2.5f), f > 2.5f ? f : 2.5f, f);
                same_real("_F8MAX", _F8MAX(d, 2.5), d > 2.5 ? d : 2.5, d);
                same_real("_FQMAX", _FQMAX(q, 2.5L), q > 2.5L ? q : 2.5L, q);
                same_real("_F4MIN", _F4MIN(f, 2.5f), f < 2.5f ? f : 2.5f, f);
                same_real("_F8MIN", _F8MIN(d, 2.5), d < 2.5 ? d : 2.5, d);
                same_real("_FQMIN", _FQMIN(q, 2.5L), q < 2.5L ? q : 2.5L, q);
                same_real("_F4RECIP", _F4RECIP(f), 1.0f / f, f);
                same_real("_F8RECIP", _F8RECIP(d), 1.0 / d, d);
                same_real("_FQRECIP", _FQRECIP(q), 1.0L / q, q);
                same_real("_F4SQRT", _F4SQRT(f), sqrtf(f), f);
                same_real("_F8SQRT", _F8SQRT(d), sqrt(d), d);
                same_real("_FQSQRT", _FQSQRT(q), sqrtl(q), q);
                same_real("_F4RSQRT", _F4RSQRT(f), 1.0f / sqrtf(f), f);
                same_real("_F8RSQRT", _F8RSQRT(d), 1.0 / sqrt(d), d);
                same_real("_FQRSQRT", _FQRSQRT(q), 1.0L / sqrtl(q), q);
            }
    /* The upper half of U8. */
    to_U8_F4(9223372036854775808.0f), to_U8_F8(9223372036854775808.0), to_U8_FQ(9223372036854775808.5L);
    to_U8_F8(1.8e19), to_U8_FQ(18446744073709551615.0L);
}

/* ---- Complex ---- */
#define COMPLEX(C, TC, F, TF, suffix)                                                            \
    static void complex_##C(TC x, TC y)                                                          \
    {                                                                                            \
        TC results[] = {_##C##ADD(x, y), _##C##SUB(x, y), _##C##MPY(x, y), _##C##DIV(x, y),      \
                        _##C##NEG(x), _##C##CONJG(x), _##C##RECIP(x), _##C##SQRT(x),             \
                        _##C##RSQRT(x), _##C##COMPLEX(_##F##REALPART(x), _##F##IMAGPART(y))};    \
        TC wanted[] = {x + y, x - y, x * y, x / y, -x, conj##suffix(x), 1 / x, csqrt##suffix(x), \
                       1 / csqrt##suffix(x), creal##suffix(x) + cimag##suffix(y) * I};           \
        unsigned i;                                                                              \
        for (i = 0; i < sizeof results / sizeof results[0]; i++) {                               \
            same_real("_" #C ", real part", creal##suffix(results[i]), creal##suffix(wanted[i]), i); \
            same_real("_" #C ", imaginary part", cimag##suffix(results[i]), cimag##suffix(wanted[i]), i); \
        }                                                                                        \
        same("_" #C "EQ", _##C##EQ(x, y), x == y, 0, 0);                                         \
        same("_" #C "NE", _##C##NE(x, y), x != y, 0, 0);                                         \
        same("_" #C "EQ", _##C##EQ(x, x), 1, 0, 0);                                              \
        same("_" #C "NE", _##C##NE(x, x), 0, 0, 0);                                              \
    }
COMPLEX(C4, _COMPLEX32, F4, float, f)
COMPLEX(C8, _COMPLEX64, F8, double, )
COMPLEX(CQ, _COMPLEXQD, FQ, long double, l)

static void complexes(void)
{
    double i, j;
    for (i = -2; i <= 2; i += 0.5)
        for (j = 1; j <= 3; j += 0.25) {
            complex_C4((float)i + (float)j * I, (float)j - 2.0f * I);
            complex_C8(i + j * I, j - 2.0 * I);
            complex_CQ(i + j * I, j - 2.0L * I);
        }
}

/* ---- Types, memory ---- */
static void memory(void)
{
    /* __MSTORE(from, from_offset, to, to_offset, n), as translators write "int a[4] = {...}; s.b = t.b;" */
    static const _INT32 initial[4] = {3, 1, 4, 1};
    static const char hello[6] = "hello";
    char text[] = "0123456789", word[6] = "?????";
    int evaluated = 0;
    _INT32 a[5] = {9, 9, 9, 9, 9};
    struct { _INT32 a; _IEEE64 b; } from = {7, 2.5}, to = {0, 0};
    __MSTORE(&initial, 0LL, &a, 0LL, 16LL);
    same("__MSTORE, an array", a[0] == 3 && a[1] == 1 && a[2] == 4 && a[3] == 1 && a[4] == 9, 1, 0, 0);
    __MSTORE(&hello, 0LL, word, 0LL, 6);
    same("__MSTORE, a string", strcmp(word, "hello"), 0, 0, 0);
    __MSTORE(&from, 8, &to, 8, sizeof from.b);
    same("__MSTORE, a member", to.a == 0 && to.b == 2.5 && from.a == 7, 1, 0, 0);
    __MSTORE (text, 0, text, 2, 8); /* overlapping, offsets, a space */
    same("__MSTORE, overlapping", memcmp(text, "0101234567", 10), 0, 0, 0);
    __MSTORE(text, 0, text + evaluated++, 0, 1);
    __MSTORE("x", 0, text + evaluated++, 0, 1);
    same("__MSTORE, evaluations", evaluated, 2, 0, 0);
    same("__MSTORE, expressions", text[1], 'x', 0, 0);
    same("_I4MAX, evaluations", (_I4MAX (evaluated++, 0), evaluated), 3, 0, 0);
    same("sizes", sizeof(_BOOLEAN) == 4 && sizeof(_INT8) == 1 && sizeof(_INT16) == 2 && sizeof(_INT32) == 4 &&
         sizeof(_INT64) == 8 && sizeof(_UINT8) == 1 && sizeof(_UINT16) == 2 && sizeof(_UINT32) == 4 &&
         sizeof(_UINT64) == 8 && sizeof(_IEEE32) == 4 && sizeof(_IEEE64) == 8 &&
         sizeof(_QUAD) == sizeof(long double) && sizeof(_STRING) == sizeof(char *) &&
         sizeof(_COMPLEX32) == 8 && sizeof(_COMPLEX64) == 16 &&
         sizeof(_COMPLEXQD) == 2 * sizeof(long double), 1, 0, 0);
    same("signs", (_INT8)-1 < 0 && (_INT16)-1 < 0 && (_INT32)-1 < 0 && (_INT64)-1 < 0 && (_UINT8)-1 > 0 &&
         (_UINT16)-1 > 0 && (_UINT32)-1 > 0 && (_UINT64)-1 > 0, 1, 0, 0);
    same("__UNKNOWN_TYPE", sizeof(__UNKNOWN_TYPE *), sizeof(void *), 0, 0);
}

int main(void)
{
    integers();
    reals();
    complexes();
    memory();
    printf("whirl2c.h: %ld comparisons, %ld failed\n", comparisons, failures);
    return failures != 0 || comparisons < 100000;
}
