/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions for every part of upcr.h: linkage, hints, the debug switch. Nothing here is for users. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "upcr/config.h"

#ifdef __cplusplus
#define UPCRI_BEGIN_C extern "C" {
#define UPCRI_END_C }
#define UPCRI_THREAD_LOCAL __thread
#else
#define UPCRI_BEGIN_C
#define UPCRI_END_C
#define UPCRI_THREAD_LOCAL __thread
#endif

/* 1: every rule that the documentation marks "debug" is checked (upcc -g, the debug library). */
#ifndef UPCR_DEBUG
#define UPCR_DEBUG 0
#endif

#define UPCRI_LIKELY(cond) __builtin_expect(!!(cond), 1)
#define UPCRI_UNLIKELY(cond) __builtin_expect(!!(cond), 0)
#define UPCRI_COLD __attribute__((cold))
#define UPCRI_NORETURN __attribute__((__noreturn__))
/* The same with -fgnu89-inline, with which translated C is compiled, and without. */
#ifndef UPCRI_STATIC
#define UPCRI_STATIC static inline __attribute__((unused))
#endif
/* Exported from the library, and cold: the caller keeps its registers. */
#define UPCRI_API __attribute__((visibility("default")))
