/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread-local data (TLD): the unshared variables of a UPC program, of which each UPC thread has its own
 * (UPC Runtime specification, "Thread-local data").
 *
 *   T UPCR_TLD_DEFINE(name, size, align) = init;     defines one; wraps the name in any declarator
 *   T UPCR_TLD_DEFINE_TENTATIVE(name, size, align);  the same without a value, may recur in several files
 *   T name UPCR_TLD_DEFINED(name) = init;            defines one too; stands behind any declarator
 *   extern T name;                                   declares one of another file
 *   *(T *)UPCR_TLD_ADDR(name)                        the calling thread's; the address is a void *
 *
 * With one UPC thread per process the plain name is the same object. With several, the first thread of a
 * process uses the variables at their linked addresses, and each other one a copy, made before any of them
 * runs. upcc moves the variables of a file into sections of their own for that; a variable in an object that
 * upcc did not compile stays outside, and UPCR_TLD_ADDR of it is fatal on all threads of the process but the
 * first. Alignments up to a page are kept. An initial value that is the address of another thread-local
 * variable is the address of the first thread's.
 */
#pragma once
#include "upcr/base.h"

#ifndef UPCRI_TLD_SCAN
#define UPCR_TLD_DEFINE(name, size, align) name
#define UPCR_TLD_DEFINE_TENTATIVE(name, size, align) name
#define UPCR_TLD_DEFINED(name)
#else /* upcc scans the preprocessed text */
#define UPCR_TLD_DEFINE(name, size, align) UPCRI_TLD_DEFINED_HERE(name)
#define UPCR_TLD_DEFINE_TENTATIVE(name, size, align) UPCRI_TLD_DEFINED_HERE(name)
#define UPCR_TLD_DEFINED(name) UPCRI_TLD_DEFINED_HERE(name)
#endif
/* Two levels: the argument may be a macro (upcr_forall_control). */
#define UPCR_TLD_ADDR(name) UPCRI_TLD_ADDR(name)
#if defined(UPCRI_TLD_SCAN)
#define UPCRI_TLD_ADDR(name) UPCRI_TLD_ADDRESS_HERE(name)
#elif defined(UPCRI_TLD_PLACED) && (!defined(__PIC__) || defined(__PIE__))
/* upcc, for a program: all variables of this object are in their section. Not in a shared library. */
#define UPCRI_TLD_ADDR(name) ((void *)((uintptr_t) & (name) + (uintptr_t)upcri_tld_delta))
#else
#define UPCRI_TLD_ADDR(name) upcri_tld_addr((const volatile void *)&(name), #name)
#endif
/* An entry of the variable lists of older translators. */
#define UPCR_TRANSLATOR_TLD(type, name, initval) UPCRI_TLD_WEAK type name = initval;

#define UPCRI_TLD_WEAK __attribute__((weak, section("upcr_tld")))

UPCRI_BEGIN_C

/* Distance from the variables to the calling thread's copies: 0 for the first thread of a process. */
extern UPCRI_API UPCRI_THREAD_LOCAL ptrdiff_t upcri_tld_delta __attribute__((tls_model("initial-exec")));

/* The address of this thread's copy of a variable at `var`; fatal when it has none. */
UPCRI_API void *upcri_tld_copy(const volatile void *var, const char *name);
UPCRI_STATIC void *upcri_tld_addr(const volatile void *var, const char *name) {
    if (UPCRI_UNLIKELY(upcri_tld_delta != 0)) return upcri_tld_copy(var, name);
    return (void *)(uintptr_t)var;
}

/* A variable that a file uses by its plain name, so that it cannot be one for each thread. */
struct upcri_tld_plain {
    const char *name, *file; /* an empty name: not known, upcc did not compile the file */
    int line;                /* 0: not known */
};
/* The description of a program by upcc. Without upcc all is zero. */
struct upcri_tld_image {
    char *start, *stop; /* the variables, except those of upcri_tld_zeros */
    const struct upcri_tld_plain *plain;
    size_t plain_count;
};
extern UPCRI_API struct upcri_tld_image upcri_tld_image;
/* The variables without initial values, which take no space in the program's file. Null: there are none. */
struct upcri_tld_zeros {
    char *start, *stop;
};
extern UPCRI_API struct upcri_tld_zeros upcri_tld_zeros;
/* Non-zero when objects of the program rely on upcri_tld_image. */
extern UPCRI_API int upcri_tld_objects;

/*
 * Names that link-time code of other runtimes uses: the block of a UPC thread, and the function that
 * returns the calling thread's. Valid from before per_pthread_init() on; NULL on other threads.
 */
typedef struct upcri_pthreadinfo {
    int mypthread; /* index in the process */
    void *tld;     /* start of the thread's variables */
} upcri_pthreadinfo_t;
struct upcri_tld_t {
    upcri_pthreadinfo_t upcri_pthreadinfo;
};
UPCRI_API struct upcri_tld_t *upcri_linkergenerated_tld_init(void);

UPCRI_END_C
