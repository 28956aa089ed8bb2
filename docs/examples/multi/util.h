/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain C, used by main.upc and part.upc. */
#ifndef UTIL_H
#define UTIL_H
#define PER_THREAD 8
long checksum(const int *values, int count);
#endif
