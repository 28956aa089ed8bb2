/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: pointers of which each thread has its own, NULL at first.
 *
 *   GASNETT_THREADKEY_DEFINE(key);     at file scope, in one file of the program
 *   GASNETT_THREADKEY_DECLARE(key);    anywhere, to use the key of another file
 *   void *gasnett_threadkey_get(key)
 *   gasnett_threadkey_set(key, void *value)
 *   gasnett_threadkey_init(key)        any number of times, from any thread; not needed
 *   gasnett_threadkey_get_noinit(key), gasnett_threadkey_set_noinit(key, value)   the same as get and set
 *
 * The key is used with these macros only. Nothing is done with the value when its thread ends.
 */
#pragma once
#include "gasnet/tools/attributes.h"

#ifdef GASNETT_THREAD_SAFE
#define GASNETTI_PER_THREAD __thread
#else
#define GASNETTI_PER_THREAD
#endif

#define GASNETT_THREADKEY_DECLARE(key) extern GASNETTI_PER_THREAD void *gasnetti_threadkey_##key
#define GASNETT_THREADKEY_DEFINE(key) \
    GASNETT_THREADKEY_DECLARE(key);   \
    GASNETTI_PER_THREAD void *gasnetti_threadkey_##key = NULL

#define gasnett_threadkey_get(key) ((void *)gasnetti_threadkey_##key)
#define gasnett_threadkey_set(key, value) ((void)(gasnetti_threadkey_##key = (value)))
#define gasnett_threadkey_init(key) ((void)gasnetti_threadkey_##key)
#define gasnett_threadkey_get_noinit(key) gasnett_threadkey_get(key)
#define gasnett_threadkey_set_noinit(key, value) gasnett_threadkey_set(key, value)
