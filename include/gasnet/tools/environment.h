/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: environment variables, and the numbers in them. In a job the values come from where it was
 * launched, so that all nodes see the same ones; a variable that was not set there, and everything before
 * gasnet_init() and in programs without a job, comes from this process's environment.
 *
 * With GASNET_VERBOSEENV set, node 0 writes to stderr what it reads by the _withdefault functions, each name
 * once: "ENV parameter: NAME = value (default)".
 *
 * Any thread; setenv and unsetenv not while others read.
 */
#pragma once
#include "gasnet/tools/attributes.h"

GASNETT_BEGIN_EXTERNC

/* The value, or NULL. The library owns the text; it is valid until the variable is changed. */
GASNETI_API char *gasnett_getenv(const char *name);
/* The value, or dflt (may be NULL). */
GASNETI_API char *gasnett_getenv_withdefault(const char *name, const char *dflt);
/* Y, YES or 1: 1; N, NO or 0: 0; in any case; not set or empty: dflt. Anything else is fatal. */
GASNETI_API int gasnett_getenv_yesno_withdefault(const char *name, int dflt);
/* A number as gasnett_parse_int() reads it; shown as a size when mem_mult is not 0. Text that is no number is
 * fatal. */
GASNETI_API int64_t gasnett_getenv_int_withdefault(const char *name, int64_t dflt, uint64_t mem_mult);
/* 12, 1.5, 1e-3 or a fraction such as 1/3. Text that is none of these is fatal. */
GASNETI_API double gasnett_getenv_dbl_withdefault(const char *name, double dflt);

/* In this process only. */
GASNETI_API void gasnett_setenv(const char *name, const char *value);
GASNETI_API void gasnett_unsetenv(const char *name);

/* Non-zero: GASNET_VERBOSEENV asks for reports and this is the node that makes them. */
GASNETI_API int gasnett_verboseenv(void);
/* Such a report; nothing when they are not wanted. */
GASNETI_API void gasnett_envstr_display(const char *name, const char *value, int is_dflt);
GASNETI_API void gasnett_envint_display(const char *name, int64_t value, int is_dflt, int is_mem_size);
GASNETI_API void gasnett_envdbl_display(const char *name, double value, int is_dflt);

/*
 * The number at the start of `text`: blanks, a sign, then decimal digits with or without a fraction, or hex
 * digits after 0x. With mem_mult not 0 it may be followed by T, G, M, K or B (either case: powers of 1024),
 * and is multiplied by mem_mult where no letter follows. NULL, empty, or no number: 0.
 */
GASNETI_API int64_t gasnett_parse_int(const char *text, uint64_t mem_mult);
/*
 * Writes `value` to buf (at most bufsz bytes, always terminated) and returns buf: decimal, or hex from 2^50
 * on; with is_mem_size as "64 MB", in the largest unit that it is a multiple of or that is contained ten times
 * (rounded down). gasnett_parse_int() reads back what was not rounded.
 */
GASNETI_API char *gasnett_format_number(int64_t value, char *buf, size_t bufsz, int is_mem_size);

GASNETT_END_EXTERNC
