/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic that the Open64-based translators (whirl2c) write as calls: operators of their
 * intermediate form that are not C operators. Included by translated code after upcr.h; no runtime state,
 * any thread.
 *
 * A name is underscore, result type, source type where it differs, operator: _I4MOD, _I4F8TRUNC. Types:
 * I1 I2 I4 I8 signed and U1 U2 U4 U8 unsigned integers by bytes; F4 F8 FQ float, double, long double;
 * C4 C8 CQ complex of these. All are inline functions: arguments are converted to the operator's type and
 * evaluated once. Where C leaves a result undefined (overflow, shift counts) these wrap or mask, so that
 * constant folding and the machine agree. Division by zero does what the machine does.
 */
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "upcr/base.h"

/* ---- Base types ---- */
typedef int32_t _BOOLEAN;
typedef int8_t _INT8;
typedef int16_t _INT16;
typedef int32_t _INT32;
typedef int64_t _INT64;
typedef uint8_t _UINT8;
typedef uint16_t _UINT16;
typedef uint32_t _UINT32;
typedef uint64_t _UINT64;
typedef float _IEEE32;
typedef double _IEEE64;
typedef long double _QUAD;
typedef char *_STRING;
/* C99's own, so that values travel to and from the C library's complex functions. */
__extension__ typedef float _Complex _COMPLEX32;
__extension__ typedef double _Complex _COMPLEX64;
__extension__ typedef long double _Complex _COMPLEXQD;
/* The target type of a pointer to an incomplete type. */
typedef void __UNKNOWN_TYPE;

/*
 * __MSTORE(from, from_offset, to, to_offset, size): copies `size` bytes; the source comes first. Addresses
 * plus offsets in bytes, each evaluated once; overlap is fine. Aggregate initialisers of local variables are
 * written so.
 */
UPCRI_STATIC void upcri_w2c_mstore(const void *from, ptrdiff_t from_offset, void *to, ptrdiff_t to_offset,
                                   size_t size) {
    memmove((char *)to + to_offset, (const char *)from + from_offset, size);
}
#define __MSTORE(from, from_offset, to, to_offset, size) \
    upcri_w2c_mstore((const void *)(from), (from_offset), (void *)(to), (to_offset), (size))

/*
 * ---- Constants that no literal gives ----
 * float: INFINITYF, NANF; double: INFINITY, NAN of <math.h>; long double: INFINITYL, NANL. The NaN is quiet.
 */
#define INFINITYF __builtin_inff()
#define NANF __builtin_nanf("")
#define INFINITYL __builtin_infl()
#define NANL __builtin_nanl("")

/* ---- Absolute value; the most negative integer is its own ---- */
UPCRI_STATIC _INT32 _I4ABS(_INT32 x) { return x < 0 ? (_INT32)(0u - (_UINT32)x) : x; }
UPCRI_STATIC _INT64 _I8ABS(_INT64 x) { return x < 0 ? (_INT64)(UINT64_C(0) - (_UINT64)x) : x; }
UPCRI_STATIC _IEEE32 _F4ABS(_IEEE32 x) { return __builtin_fabsf(x); }
UPCRI_STATIC _IEEE64 _F8ABS(_IEEE64 x) { return __builtin_fabs(x); }
UPCRI_STATIC _QUAD _FQABS(_QUAD x) { return __builtin_fabsl(x); }

/* ---- Maximum, minimum ---- */
#define UPCRI_W2C_MAXMIN(L, T)                                   \
    UPCRI_STATIC T _##L##MAX(T x, T y) { return x > y ? x : y; } \
    UPCRI_STATIC T _##L##MIN(T x, T y) { return x < y ? x : y; }
UPCRI_W2C_MAXMIN(I4, _INT32)
UPCRI_W2C_MAXMIN(I8, _INT64)
UPCRI_W2C_MAXMIN(U4, _UINT32)
UPCRI_W2C_MAXMIN(U8, _UINT64)
UPCRI_W2C_MAXMIN(F4, _IEEE32)
UPCRI_W2C_MAXMIN(F8, _IEEE64)
UPCRI_W2C_MAXMIN(FQ, _QUAD)

/*
 * ---- Integer division ----
 * DIVFLOOR, DIVCEIL: the quotient rounded down, up. MODFLOOR, MODCEIL: what is left, x - y * quotient, with
 * the sign of y, against the sign of y. MOD is MODFLOOR. The one quotient that does not fit (the most
 * negative number by -1) wraps.
 */
#define UPCRI_W2C_DIVISION_SIGNED(L, T, U)                                                         \
    UPCRI_STATIC T upcri_w2c_quotient_##L(T x, T y) { return y == -1 ? (T)((U)0 - (U)x) : x / y; } \
    UPCRI_STATIC T upcri_w2c_remainder_##L(T x, T y) { return y == -1 ? 0 : x % y; }               \
    UPCRI_STATIC T _##L##DIVFLOOR(T x, T y) {                                                      \
        T r = upcri_w2c_remainder_##L(x, y);                                                       \
        return upcri_w2c_quotient_##L(x, y) - (r != 0 && (r < 0) != (y < 0));                      \
    }                                                                                              \
    UPCRI_STATIC T _##L##DIVCEIL(T x, T y) {                                                       \
        T r = upcri_w2c_remainder_##L(x, y);                                                       \
        return upcri_w2c_quotient_##L(x, y) + (r != 0 && (r < 0) == (y < 0));                      \
    }                                                                                              \
    UPCRI_STATIC T _##L##MODFLOOR(T x, T y) {                                                      \
        T r = upcri_w2c_remainder_##L(x, y);                                                       \
        return r != 0 && (r < 0) != (y < 0) ? r + y : r;                                           \
    }                                                                                              \
    UPCRI_STATIC T _##L##MODCEIL(T x, T y) {                                                       \
        T r = upcri_w2c_remainder_##L(x, y);                                                       \
        return r != 0 && (r < 0) == (y < 0) ? r - y : r;                                           \
    }                                                                                              \
    UPCRI_STATIC T _##L##MOD(T x, T y) { return _##L##MODFLOOR(x, y); }
/* Unsigned: MODCEIL is negative or 0, and so wraps. */
#define UPCRI_W2C_DIVISION_UNSIGNED(L, T)                                         \
    UPCRI_STATIC T _##L##DIVFLOOR(T x, T y) { return x / y; }                     \
    UPCRI_STATIC T _##L##DIVCEIL(T x, T y) { return x / y + (x % y != 0); }       \
    UPCRI_STATIC T _##L##MODFLOOR(T x, T y) { return x % y; }                     \
    UPCRI_STATIC T _##L##MODCEIL(T x, T y) { return x % y != 0 ? x % y - y : 0; } \
    UPCRI_STATIC T _##L##MOD(T x, T y) { return x % y; }
UPCRI_W2C_DIVISION_SIGNED(I4, _INT32, _UINT32)
UPCRI_W2C_DIVISION_SIGNED(I8, _INT64, _UINT64)
UPCRI_W2C_DIVISION_UNSIGNED(U4, _UINT32)
UPCRI_W2C_DIVISION_UNSIGNED(U8, _UINT64)

/*
 * ---- Shifts ----
 * The count is taken modulo the width. SHL: left. ASHR: right, copies of the sign bit come in (of the top
 * bit, for U types too; gcc and clang shift signed numbers so). LSHR: right, zeroes come in (for I types
 * too).
 */
#define UPCRI_W2C_SHIFT(L, T, S, U, MASK)                                                \
    UPCRI_STATIC T _##L##SHL(T x, _INT64 count) { return (T)((U)x << (count & MASK)); }  \
    UPCRI_STATIC T _##L##ASHR(T x, _INT64 count) { return (T)((S)x >> (count & MASK)); } \
    UPCRI_STATIC T _##L##LSHR(T x, _INT64 count) { return (T)((U)x >> (count & MASK)); }
UPCRI_W2C_SHIFT(I4, _INT32, _INT32, _UINT32, 31)
UPCRI_W2C_SHIFT(I8, _INT64, _INT64, _UINT64, 63)
UPCRI_W2C_SHIFT(U4, _UINT32, _INT32, _UINT32, 31)
UPCRI_W2C_SHIFT(U8, _UINT64, _INT64, _UINT64, 63)

/*
 * ---- Floating to integer: _{I4,I8,U4,U8}{F4,F8,FQ}{RND,TRUNC,CEIL,FLOOR} ----
 * RND: nearest, halves away from zero. TRUNC: towards zero. A value that an I8 holds but the result type
 * does not is reduced modulo the result's width; beyond I8 (beyond U8 for U8) the result is the machine's.
 */
#define UPCRI_W2C_TO_INTEGER(F, TF, suffix)                                                          \
    UPCRI_STATIC _UINT64 upcri_w2c_U8##F(TF x) {                                                     \
        return x >= (TF)9223372036854775808.0 ? (_UINT64)x : (_UINT64)(_INT64)x;                     \
    }                                                                                                \
    UPCRI_STATIC _INT32 _I4##F##RND(TF x) { return (_INT32)(_INT64)__builtin_round##suffix(x); }     \
    UPCRI_STATIC _INT32 _I4##F##TRUNC(TF x) { return (_INT32)(_INT64)x; }                            \
    UPCRI_STATIC _INT32 _I4##F##CEIL(TF x) { return (_INT32)(_INT64)__builtin_ceil##suffix(x); }     \
    UPCRI_STATIC _INT32 _I4##F##FLOOR(TF x) { return (_INT32)(_INT64)__builtin_floor##suffix(x); }   \
    UPCRI_STATIC _INT64 _I8##F##RND(TF x) { return (_INT64)__builtin_round##suffix(x); }             \
    UPCRI_STATIC _INT64 _I8##F##TRUNC(TF x) { return (_INT64)x; }                                    \
    UPCRI_STATIC _INT64 _I8##F##CEIL(TF x) { return (_INT64)__builtin_ceil##suffix(x); }             \
    UPCRI_STATIC _INT64 _I8##F##FLOOR(TF x) { return (_INT64)__builtin_floor##suffix(x); }           \
    UPCRI_STATIC _UINT32 _U4##F##RND(TF x) { return (_UINT32)(_INT64)__builtin_round##suffix(x); }   \
    UPCRI_STATIC _UINT32 _U4##F##TRUNC(TF x) { return (_UINT32)(_INT64)x; }                          \
    UPCRI_STATIC _UINT32 _U4##F##CEIL(TF x) { return (_UINT32)(_INT64)__builtin_ceil##suffix(x); }   \
    UPCRI_STATIC _UINT32 _U4##F##FLOOR(TF x) { return (_UINT32)(_INT64)__builtin_floor##suffix(x); } \
    UPCRI_STATIC _UINT64 _U8##F##RND(TF x) { return upcri_w2c_U8##F(__builtin_round##suffix(x)); }   \
    UPCRI_STATIC _UINT64 _U8##F##TRUNC(TF x) { return upcri_w2c_U8##F(x); }                          \
    UPCRI_STATIC _UINT64 _U8##F##CEIL(TF x) { return upcri_w2c_U8##F(__builtin_ceil##suffix(x)); }   \
    UPCRI_STATIC _UINT64 _U8##F##FLOOR(TF x) { return upcri_w2c_U8##F(__builtin_floor##suffix(x)); }
UPCRI_W2C_TO_INTEGER(F4, _IEEE32, f)
UPCRI_W2C_TO_INTEGER(F8, _IEEE64, )
UPCRI_W2C_TO_INTEGER(FQ, _QUAD, l)

/* ---- Reciprocal and square root; RSQRT is 1 / SQRT ---- */
#define UPCRI_W2C_ROOTS(F, T, suffix)                                    \
    UPCRI_STATIC T _##F##RECIP(T x) { return (T)1 / x; }                 \
    UPCRI_STATIC T _##F##SQRT(T x) { return __builtin_sqrt##suffix(x); } \
    UPCRI_STATIC T _##F##RSQRT(T x) { return (T)1 / __builtin_sqrt##suffix(x); }
UPCRI_W2C_ROOTS(F4, _IEEE32, f)
UPCRI_W2C_ROOTS(F8, _IEEE64, )
UPCRI_W2C_ROOTS(FQ, _QUAD, l)

/*
 * ---- Complex: _C8ADD SUB MPY DIV NEG CONJG RECIP SQRT RSQRT EQ NE, _C8COMPLEX(re, im), _F8REALPART,
 * _F8IMAGPART; likewise C4 with F4, CQ with FQ. In C only, like the operators they stand for. ----
 */
#ifndef __cplusplus
#define UPCRI_W2C_COMPLEX(C, TC, F, TF, suffix)                                       \
    UPCRI_STATIC TC _##C##COMPLEX(TF re, TF im) { return __builtin_complex(re, im); } \
    UPCRI_STATIC TF _##F##REALPART(TC z) { return __real__ z; }                       \
    UPCRI_STATIC TF _##F##IMAGPART(TC z) { return __imag__ z; }                       \
    UPCRI_STATIC TC _##C##ADD(TC x, TC y) { return x + y; }                           \
    UPCRI_STATIC TC _##C##SUB(TC x, TC y) { return x - y; }                           \
    UPCRI_STATIC TC _##C##MPY(TC x, TC y) { return x * y; }                           \
    UPCRI_STATIC TC _##C##DIV(TC x, TC y) { return x / y; }                           \
    UPCRI_STATIC TC _##C##NEG(TC x) { return -x; }                                    \
    UPCRI_STATIC TC _##C##CONJG(TC x) { return __builtin_conj##suffix(x); }           \
    UPCRI_STATIC TC _##C##RECIP(TC x) { return (TF)1 / x; }                           \
    UPCRI_STATIC TC _##C##SQRT(TC x) { return __builtin_csqrt##suffix(x); }           \
    UPCRI_STATIC TC _##C##RSQRT(TC x) { return (TF)1 / __builtin_csqrt##suffix(x); }  \
    UPCRI_STATIC _BOOLEAN _##C##EQ(TC x, TC y) { return x == y; }                     \
    UPCRI_STATIC _BOOLEAN _##C##NE(TC x, TC y) { return x != y; }
UPCRI_W2C_COMPLEX(C4, _COMPLEX32, F4, _IEEE32, f)
UPCRI_W2C_COMPLEX(C8, _COMPLEX64, F8, _IEEE64, )
UPCRI_W2C_COMPLEX(CQ, _COMPLEXQD, FQ, _QUAD, l)
#endif

/*
 * ---- Conversion to a shorter length: _I4CVTL_8(x) and _I4_CVTL_8(x) ----
 * The low 8, 16 or 32 bits (1: 0 or 1 for U, 0 or -1 for I), extended by sign for I types, by zeroes for U.
 * _I4CVTL(x, bits) takes the number as an argument: 1 to the type's width.
 */
#define UPCRI_W2C_CVTL_N(L, T, N)                                   \
    UPCRI_STATIC T _##L##CVTL_##N(T x) { return _##L##CVTL(x, N); } \
    UPCRI_STATIC T _##L##_CVTL_##N(T x) { return _##L##CVTL(x, N); }
#define UPCRI_W2C_CVTL(L, T, U, WIDTH)                                                                      \
    UPCRI_STATIC T _##L##CVTL(T x, int bits) { return (T)((T)((U)x << (WIDTH - bits)) >> (WIDTH - bits)); } \
    UPCRI_W2C_CVTL_N(L, T, 1)                                                                               \
    UPCRI_W2C_CVTL_N(L, T, 8)                                                                               \
    UPCRI_W2C_CVTL_N(L, T, 16)                                                                              \
    UPCRI_W2C_CVTL_N(L, T, 32)
UPCRI_W2C_CVTL(I4, _INT32, _UINT32, 32)
UPCRI_W2C_CVTL(I8, _INT64, _UINT64, 64)
UPCRI_W2C_CVTL(U4, _UINT32, _UINT32, 32)
UPCRI_W2C_CVTL(U8, _UINT64, _UINT64, 64)
