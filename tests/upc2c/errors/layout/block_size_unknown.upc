// SPDX-License-Identifier: BSD-3-Clause
// One message for a block size that is wrong in one way.
shared [nobody] int a[THREADS];      // error: D-UNDECLARED at 'nobody'
shared [2 * nobody2] int b[THREADS]; // error: D-UNDECLARED at 'nobody2'
int n;
shared [n] int c[THREADS];           // error: D-LAY-CONST at 'n'
