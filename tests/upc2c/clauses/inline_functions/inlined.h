/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain inline function that every file has, as C99 programs write it without an external definition. */
shared[] int *anchor(void);
inline int doubled(int x) { return 2 * x; }
inline int at_anchor(int i) { return anchor()[i]; }
int defined_later(int);
