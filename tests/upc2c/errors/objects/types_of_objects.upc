// SPDX-License-Identifier: BSD-3-Clause
// The type of a shared object is shared, that of its value is not.
shared int s;
shared [3] double *p;
int f(void) {
    __typeof__(s) x;       // error: D-SHR-AUTO at 'x'
    typeof(p[1]) y;        // error: D-SHR-AUTO at 'y'
    __typeof__((0, s)) z = 3;
    static __typeof__(s) w;
    __auto_type v = s;
    w = z;
    return w + v;
}

// restrict is a promise about pointers.
typedef shared int *to_shared;
shared restrict int r;         // error: D-SHR-RESTRICT
shared [2] int restrict a[4 * THREADS];  // error: D-SHR-RESTRICT
shared int *restrict p1;
shared to_shared restrict p2;
