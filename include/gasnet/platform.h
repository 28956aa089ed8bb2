/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine, the system and the compiler in the preprocessor constants of GASNet-1 headers: each
 * PLATFORM_* name is 1 or undefined. Included by gasnet.h and gasnet_tools.h.
 */
#pragma once
#include "gasnet/ident.h"

/* Width and byte order. Exactly one of each pair is defined. */
#if defined(__LP64__) || defined(_LP64) || defined(__x86_64__) || defined(__aarch64__)
#define PLATFORM_ARCH_64 1
#else
#define PLATFORM_ARCH_32 1
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLATFORM_ARCH_BIG_ENDIAN 1
#else
#define PLATFORM_ARCH_LITTLE_ENDIAN 1
#endif

#if defined(__x86_64__)
#define PLATFORM_ARCH_X86_64 1
#define PLATFORM_ARCH_FAMILYNAME X86_64
#elif defined(__i386__)
#define PLATFORM_ARCH_X86 1
#define PLATFORM_ARCH_FAMILYNAME X86
#elif defined(__aarch64__)
#define PLATFORM_ARCH_AARCH64 1
#define PLATFORM_ARCH_FAMILYNAME AARCH64
#elif defined(__arm__)
#define PLATFORM_ARCH_ARM 1
#define PLATFORM_ARCH_FAMILYNAME ARM
#elif defined(__powerpc__) || defined(__powerpc64__)
#define PLATFORM_ARCH_POWERPC 1
#define PLATFORM_ARCH_FAMILYNAME POWERPC
#elif defined(__mips__)
#define PLATFORM_ARCH_MIPS 1
#define PLATFORM_ARCH_FAMILYNAME MIPS
#elif defined(__sparc__)
#define PLATFORM_ARCH_SPARC 1
#define PLATFORM_ARCH_FAMILYNAME SPARC
#elif defined(__riscv)
#define PLATFORM_ARCH_RISCV 1
#define PLATFORM_ARCH_FAMILYNAME RISCV
#else
#define PLATFORM_ARCH_UNKNOWN 1
#define PLATFORM_ARCH_FAMILYNAME UNKNOWN
#endif

/* The operating system. The library itself needs Linux. */
#if defined(__linux__)
#define PLATFORM_OS_LINUX 1
#define PLATFORM_OS_FAMILYNAME LINUX
#else
#define PLATFORM_OS_UNKNOWN 1
#define PLATFORM_OS_FAMILYNAME UNKNOWN
#endif

/* The compiler: family, its number in Open MPI's mpi.h, family and language, version. */
#undef PLATFORM_COMPILER_GNU
#undef PLATFORM_COMPILER_GNU_C
#undef PLATFORM_COMPILER_GNU_CXX
#undef PLATFORM_COMPILER_INTEL
#undef PLATFORM_COMPILER_INTEL_C
#undef PLATFORM_COMPILER_INTEL_CXX
#undef PLATFORM_COMPILER_PGI
#undef PLATFORM_COMPILER_PGI_C
#undef PLATFORM_COMPILER_PGI_CXX
#undef PLATFORM_COMPILER_CRAY
#undef PLATFORM_COMPILER_CRAY_C
#undef PLATFORM_COMPILER_CRAY_CXX
#undef PLATFORM_COMPILER_UNKNOWN
#undef PLATFORM_COMPILER_FAMILYNAME
#undef PLATFORM_COMPILER_FAMILYID
#undef PLATFORM_COMPILER_VERSION
#undef PLATFORM_COMPILER_VERSION_INT
#undef PLATFORM_COMPILER_VERSION_STR
#undef __PLATFORM_COMPILER_GNU_VERSION_STR
#if defined(__INTEL_COMPILER)
#define PLATFORM_COMPILER_INTEL 1
#define PLATFORM_COMPILER_FAMILYNAME INTEL
#define PLATFORM_COMPILER_FAMILYID 2
#elif defined(__PGI) || defined(__NVCOMPILER)
#define PLATFORM_COMPILER_PGI 1
#define PLATFORM_COMPILER_FAMILYNAME PGI
#define PLATFORM_COMPILER_FAMILYID 4
#elif defined(_CRAYC)
#define PLATFORM_COMPILER_CRAY 1
#define PLATFORM_COMPILER_FAMILYNAME CRAY
#define PLATFORM_COMPILER_FAMILYID 10
#elif defined(__clang__)
#define PLATFORM_COMPILER_CLANG 1
#define PLATFORM_COMPILER_FAMILYNAME CLANG
#define PLATFORM_COMPILER_FAMILYID 19
#elif defined(__GNUC__)
#define PLATFORM_COMPILER_GNU 1
#define PLATFORM_COMPILER_FAMILYNAME GNU
#define PLATFORM_COMPILER_FAMILYID 1
#else
#define PLATFORM_COMPILER_UNKNOWN 1
#define PLATFORM_COMPILER_FAMILYNAME UNKNOWN
#define PLATFORM_COMPILER_FAMILYID 0
#endif

#if defined(PLATFORM_COMPILER_INTEL)
#ifdef __cplusplus
#define PLATFORM_COMPILER_INTEL_CXX 1
#else
#define PLATFORM_COMPILER_INTEL_C 1
#endif
#elif defined(PLATFORM_COMPILER_PGI)
#ifdef __cplusplus
#define PLATFORM_COMPILER_PGI_CXX 1
#else
#define PLATFORM_COMPILER_PGI_C 1
#endif
#elif defined(PLATFORM_COMPILER_CRAY)
#ifdef __cplusplus
#define PLATFORM_COMPILER_CRAY_CXX 1
#else
#define PLATFORM_COMPILER_CRAY_C 1
#endif
#elif defined(PLATFORM_COMPILER_CLANG)
#ifdef __cplusplus
#define PLATFORM_COMPILER_CLANG_CXX 1
#else
#define PLATFORM_COMPILER_CLANG_C 1
#endif
#elif defined(PLATFORM_COMPILER_GNU)
#ifdef __cplusplus
#define PLATFORM_COMPILER_GNU_CXX 1
#else
#define PLATFORM_COMPILER_GNU_C 1
#endif
#elif defined(__cplusplus)
#define PLATFORM_COMPILER_UNKNOWN_CXX 1
#else
#define PLATFORM_COMPILER_UNKNOWN_C 1
#endif

/*
 * Open MPI's mpi.h defines some of these names too, whichever of the two headers comes first. Names that it
 * defined before are replaced (ahead, at the families); what it defines afterwards is a repetition: with GCC
 * its tokens and blanks are the ones below, and with other compilers, which it takes for GCC, its definitions
 * are switched off by its own guard.
 */
#define PLATFORM_COMPILER_VERSION_INT(maj, min, pat) (((maj) << 16) | ((min) << 8) | (pat))
#if defined(PLATFORM_COMPILER_CLANG)
#define PLATFORM_COMPILER_VERSION \
    PLATFORM_COMPILER_VERSION_INT(__clang_major__, __clang_minor__, __clang_patchlevel__)
#define PLATFORM_COMPILER_VERSION_STR \
    _STRINGIFY(__clang_major__) "." _STRINGIFY(__clang_minor__) "." _STRINGIFY(__clang_patchlevel__)
#else
#define PLATFORM_COMPILER_VERSION PLATFORM_COMPILER_VERSION_INT(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#define PLATFORM_COMPILER_VERSION_STR __PLATFORM_COMPILER_GNU_VERSION_STR
#define __PLATFORM_COMPILER_GNU_VERSION_STR \
    _STRINGIFY(__GNUC__) "." _STRINGIFY(__GNUC_MINOR__) "." _STRINGIFY(__GNUC_PATCHLEVEL__)
#endif
#if !defined(PLATFORM_COMPILER_GNU) && !defined(OPAL_PORTABLE_PLATFORM_H)
#define OPAL_PORTABLE_PLATFORM_H
#endif
#define PLATFORM_COMPILER_VERSION_EQ(maj, min, pat) \
    (PLATFORM_COMPILER_VERSION == PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_GE(maj, min, pat) \
    (PLATFORM_COMPILER_VERSION >= PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_GT(maj, min, pat) \
    (PLATFORM_COMPILER_VERSION > PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_LE(maj, min, pat) \
    (PLATFORM_COMPILER_VERSION <= PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_LT(maj, min, pat) \
    (PLATFORM_COMPILER_VERSION < PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_ID PLATFORM_COMPILER_FAMILYNAME

/* Constants by which clients of both headers choose threads and memory mappings. */
#ifndef HAVE_PTHREAD_H
#define HAVE_PTHREAD_H 1
#endif
#ifndef HAVE_MMAP
#define HAVE_MMAP 1
#endif

/* Literals: clients compute with them in #if and size arrays with them. A multiple of the system's page. */
#if defined(__x86_64__) || defined(__i386__)
#define GASNETT_PAGESHIFT 12
#define GASNETT_PAGESIZE 4096
#else
#define GASNETT_PAGESHIFT 16
#define GASNETT_PAGESIZE 65536
#endif
#define GASNETT_CACHE_LINE_BYTES 64

/* if_pf (condition) statement [else statement]: an `if` whose condition is expected to be false (true). */
#ifndef if_pf
#define if_pf(cond) if (__builtin_expect(!!(cond), 0))
#endif
#ifndef if_pt
#define if_pt(cond) if (__builtin_expect(!!(cond), 1))
#endif

#ifndef MIN
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#endif
#ifndef MAX
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#endif

/* Linkage, and the inline functions of these headers: in any C or C++ since C99 and C++98. */
#ifdef __cplusplus
#define GASNETI_BEGIN_EXTERNC extern "C" {
#define GASNETI_END_EXTERNC }
#else
#define GASNETI_BEGIN_EXTERNC
#define GASNETI_END_EXTERNC
#endif
#define GASNETI_INLINE static __inline__ __attribute__((__unused__))
#define GASNETI_NORETURN __attribute__((__noreturn__))
#define GASNETI_API __attribute__((__visibility__("default")))
#define GASNETI_PF(cond) __builtin_expect(!!(cond), 0)
