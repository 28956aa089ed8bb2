/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text that goes into object files and executables, and the two macros that make text and names. Shared by
 * upcr.h, gasnet.h and gasnet_tools.h; preprocessor only.
 */
#pragma once

/* The text of x after macro expansion; the two tokens joined after macro expansion. */
#undef _STRINGIFY /* Open MPI's mpi.h has one that does the same */
#define _STRINGIFY(x) _UPCRI_STRINGIFY(x)
#define _UPCRI_STRINGIFY(x) #x
#define _CONCAT(a, b) _UPCRI_CONCAT(a, b)
#define _UPCRI_CONCAT(a, b) a##b

/*
 * GASNETT_IDENT(name, text);
 *   At file scope: puts the string literal `text` into the object under `name`, once per file, whatever the
 *   optimiser thinks of it.
 */
#define GASNETT_IDENT(name, text) static const char name[] UPCRI_KEPT = text
#if defined(__has_attribute) && defined(__GNUC__) && !defined(__clang__)
#if __has_attribute(retain)
#define UPCRI_KEPT __attribute__((used, retain)) /* by the linker's --gc-sections too */
#endif
#endif
#ifndef UPCRI_KEPT
#define UPCRI_KEPT __attribute__((used))
#endif

/* The compiler at hand: one literal. There is no other compiler it could differ from (the library's headers
 * are configured for any), so GASNETT_CONFIGURE_MISMATCH is never defined. */
#ifdef __clang__
#define UPCRI_COMPILER_FAMILY "Clang"
#else
#define UPCRI_COMPILER_FAMILY "GNU"
#endif
#define PLATFORM_COMPILER_IDSTR "|COMPILER_FAMILY:" UPCRI_COMPILER_FAMILY "|COMPILER_VERSION:" __VERSION__ "|"
#define GASNETT_PLATFORM_COMPILER_IDSTR PLATFORM_COMPILER_IDSTR
