/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The UPC Runtime interface (specification 3.5, with the names added up to 3.14).
 *
 * The one header that C made by a UPC-to-C translator needs, and that a C or C++ program which starts UPC
 * (bupc_init, bupc_init_reentrant) or works beside it includes. Its parts are in include/upcr/ and describe
 * their functions and the threads that may call them; docs/reference/thread-safety.md has all in one table.
 *
 * Languages: C11, gnu99 with gnu89 inlining (what translated C is compiled as), C++17.
 *
 * With UPCR_SLIM defined it includes nothing of the system but <stddef.h> and <stdint.h>: for C that includes
 * the headers of its UPC source itself, and may define what the others declare (y1, index, union sigval).
 */
#pragma once

#ifdef UPCR_SLIM
#include <stddef.h>
#include <stdint.h>
#else
/*
 * Translated C uses these headers without including them. Not <stdbool.h>, <complex.h>, <iso646.h> or
 * <tgmath.h>: their macros (bool, I, and, sqrt) are names that UPC programs define themselves.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <memory.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#endif

#include "upcr/access.h"
#include "upcr/allv.h"
#include "upcr/async.h"
#include "upcr/atomic.h"
#include "upcr/barrier.h"
#include "upcr/bulk.h"
#include "upcr/coll.h"
#include "upcr/coll_reduce.h"
#include "upcr/encoding.h"
#include "upcr/forall.h"
#include "upcr/gasnet_queries.h"
#include "upcr/heap.h"
#include "upcr/idents.h"
#include "upcr/init.h"
#include "upcr/io.h"
#include "upcr/layout.h"
#include "upcr/link.h"
#include "upcr/lock.h"
#include "upcr/misc.h"
#include "upcr/nb.h"
#include "upcr/rand.h"
#include "upcr/representation.h"
#include "upcr/sem.h"
#include "upcr/sptr.h"
#include "upcr/static_data.h"
#include "upcr/tld.h"
#include "upcr/types.h"
#include "upcr/upc_names.h"
#include "upcr/val.h"
#include "upcr/vis.h"
#include "upcr/window.h"

#include "pupc.h"

#if defined(UPCR_GASP) && UPCR_GASP
#include "upcr/instrument.h"
#else
#include "upcr/callsites.h"
#endif
