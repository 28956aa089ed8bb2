/* SPDX-License-Identifier: BSD-3-Clause */
/* A file in plain C: UPC's keywords are names here. */
int plain_c(int n, const int *v) {
    int shared = 0, strict = 0;
    for (; shared < n; shared++) strict += v[shared];
    return strict;
}
