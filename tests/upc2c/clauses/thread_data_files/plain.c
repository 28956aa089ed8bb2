/* SPDX-License-Identifier: BSD-3-Clause */
int of_c = 4, c_table[3] = {7, 8, 9};
int c_next(void) { return c_table[0] + c_table[1] + c_table[2] + 1; }
