/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: memory barriers between threads of a process, in every mode. Each is a fence for the compiler
 * too. Any thread.
 */
#pragma once
#include "gasnet/tools/attributes.h"

GASNETT_BEGIN_EXTERNC

/* Forbids the compiler to move accesses to memory across it; no instruction. */
GASNETT_ALWAYS_INLINE(gasnett_compiler_fence) void gasnett_compiler_fence(void) {
    __asm__ __volatile__("" : : : "memory");
}

/* Stores before it are seen before stores behind it. */
GASNETT_ALWAYS_INLINE(gasnett_local_wmb) void gasnett_local_wmb(void) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
/* Loads before it are done before loads and stores behind it. */
GASNETT_ALWAYS_INLINE(gasnett_local_rmb) void gasnett_local_rmb(void) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
/* Everything before it before everything behind it. */
GASNETT_ALWAYS_INLINE(gasnett_local_mb) void gasnett_local_mb(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* The same where there are several threads; nothing but a compiler fence in single-threaded builds. */
#ifdef GASNETT_THREAD_SAFE
#define gasnett_weak_wmb() gasnett_local_wmb()
#define gasnett_weak_rmb() gasnett_local_rmb()
#define gasnett_weak_mb() gasnett_local_mb()
#else
#define gasnett_weak_wmb() gasnett_compiler_fence()
#define gasnett_weak_rmb() gasnett_compiler_fence()
#define gasnett_weak_mb() gasnett_compiler_fence()
#endif

/* In a loop that waits for another thread: gives the CPU's other half a chance. */
GASNETT_ALWAYS_INLINE(gasnett_spinloop_hint) void gasnett_spinloop_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
    __asm__ __volatile__("pause" : : : "memory");
#elif defined(__aarch64__)
    __asm__ __volatile__("yield" : : : "memory");
#else
    gasnett_compiler_fence();
#endif
}

GASNETT_END_EXTERNC
