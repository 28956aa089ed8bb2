// SPDX-License-Identifier: BSD-3-Clause
// One message for a declaration that differs from the one before.
shared int a[THREADS];
shared int a[30];           // error: D-REDECL at 'a'
extern shared int b[];
shared int b[2 * THREADS];
extern shared int b[3];     // error: D-REDECL at 'b'
