// SPDX-License-Identifier: BSD-3-Clause
// A type of variable size has block scope (C11 6.7.6.2).
typedef int outside[THREADS];       // error: D-CONST at 'THREADS'
typedef int (*two)[2];
typedef shared int of_all[THREADS];
int inside(void) {
    typedef int variable[THREADS];
    variable v;
    v[0] = 1;
    return v[0];
}
