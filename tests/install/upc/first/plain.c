/* SPDX-License-Identifier: BSD-3-Clause */
#include <part.h>
#include <upcr.h>
#ifdef __UPC__
#error C is compiled as UPC
#endif
int plain(int x) { return x + ADDEND; }
