/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: syntax. Linkage, inlining, attributes and hints as words that work in C from C89 with GNU
 * extensions to C17 and in C++ from C++98 to C++20. Compile-time only.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "gasnet/platform.h"

/* Linkage. EXTERNC stands before a declaration or a definition. */
#ifdef __cplusplus
#define GASNETT_BEGIN_EXTERNC extern "C" {
#define GASNETT_END_EXTERNC }
#define GASNETT_EXTERNC extern "C"
#else
#define GASNETT_BEGIN_EXTERNC
#define GASNETT_END_EXTERNC
#define GASNETT_EXTERNC extern
#endif
#define GASNETT_TENTATIVE_EXTERN extern

/* Inlining: before a definition; NEVER_INLINE wraps the declarator, a `;` or a body follows. */
#define GASNETT_INLINE(fn) GASNETT_ALWAYS_INLINE(fn)
#define GASNETT_ALWAYS_INLINE(fn) static __inline__ __attribute__((__always_inline__, __unused__))
#define GASNETT_PLEASE_INLINE(fn) static __inline__ __attribute__((__unused__))
#define GASNETT_NEVER_INLINE(fn, declarator) __attribute__((__noinline__)) declarator

/* After the `*` of a parameter. */
#define GASNETT_RESTRICT __restrict__

/* Attributes of functions: before a declaration or definition, or behind a declaration. The twins that end in
 * P stand alone at file scope, without a semicolon, for compilers that want pragmas. */
#define GASNETT_NORETURN __attribute__((__noreturn__))
#define GASNETT_NORETURNP(fn)
#define GASNETT_MALLOC __attribute__((__malloc__))
#define GASNETT_MALLOCP(fn)
#define GASNETT_PURE __attribute__((__pure__))
#define GASNETT_PUREP(fn)
#define GASNETT_CONST __attribute__((__const__))
#define GASNETT_CONSTP(fn)
#define GASNETT_HOT __attribute__((__hot__))
#define GASNETT_COLD __attribute__((__cold__))
#define GASNETT_DEPRECATED __attribute__((__deprecated__))
#define GASNETT_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#define GASNETT_USED __attribute__((__used__))
#define GASNETT_UNUSED __attribute__((__unused__))

/* GASNETT_FORMAT_PRINTF(fn, format's position, position of `...`, declarator): the declarator of a function
 * whose arguments the compiler compares with its format; a `;` or a body follows. */
#define GASNETT_FORMAT_PRINTF(fn, fmtidx, firstvararg, declarator) \
    __attribute__((__format__(__printf__, fmtidx, firstvararg))) declarator
/* The same for a pointer to such a function. */
#define GASNETT_FORMAT_PRINTF_FUNCPTR(fn, fmtidx, firstvararg, declarator) \
    declarator __attribute__((__format__(__printf__, fmtidx, firstvararg)))

/* Expressions. */
#define GASNETT_PREDICT_TRUE(e) __builtin_expect(!!(e), 1)
#define GASNETT_PREDICT_FALSE(e) __builtin_expect(!!(e), 0)
#define gasnett_constant_p(e) __builtin_constant_p(e)
#define GASNETT_CURRENT_FUNCTION (__extension__ __FUNCTION__)
