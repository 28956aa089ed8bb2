/* SPDX-License-Identifier: BSD-3-Clause */
/* Included by both files: tentative definitions of one object, and declarations of others. */
int tentative, list[10];
struct {
    int x;
} anonymous;
extern int defined_there[], *pointer_there;
extern struct item {
    int n;
    struct item *next;
} items[2];
int work(int);
#pragma upc c_code
extern int of_c, c_table[3];
int c_next(void);
#pragma upc upc_code
