/* SPDX-License-Identifier: BSD-3-Clause */
/* Of UPC and C. */
int plain(int x);
int object(int x);
#ifdef __UPC__
extern shared int part[THREADS];
void fill(void);
#endif
