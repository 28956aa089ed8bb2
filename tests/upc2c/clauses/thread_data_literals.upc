/* SPDX-License-Identifier: BSD-3-Clause */
/* Compound literals outside of functions (C99 6.5.2.5) are objects with static storage, and so there is one for each
 * thread: arrays, structures, within each other, behind casts and operators, with addresses of shared and of private
 * objects. Constants may be the same for all. */
#include "check.h"

struct node { int value; struct node *next; };
struct both { shared int *there; int *here; const int *constant; };
shared int there;
int here;

int *numbers = (int[]){1, 2, 3}, *second = &((int[]){4, 5})[1];
struct node *list = &(struct node){1, &(struct node){2, 0}};
static struct { int *a, count; } table[2] = {{(int[]){7, 8}, 2}, {(int[]){9}, 1}};
int **to_here = &(int *){&here};
struct both *both = &(struct both){&there, (int[]){10}};
shared struct both of_all = {&there, (int[]){11}, (const int[]){21}};
char *bytes = (char *)&(struct node){0x01010101, 0};
int *member = &(struct node){12, 0}.value;
int *const fixed[] = {&here, (int[]){13}};
int *const *fixed_too = (int *const[]){&here, (int[]){14}};
const int *constants = (const int[]){15, 16};
/* GNU C: an object gets the value of a literal. */
int copied[2] = (int[2]){17, 18};
int *copied_too[2] = (int *[2]){&here, (int[]){19}};
struct both structure = (struct both){&there, (int[]){20}};
unsigned long size = sizeof((int[]){1, 2});

/* All have the same value before, and each thread finds its own change behind the barrier. */
static void change(int *object, int before) {
    CHECK(*object == before);
    upc_barrier;
    *object += 100 * MYTHREAD;
    upc_barrier;
    CHECK(*object == before + 100 * MYTHREAD);
}

int main(void) {
    CHECK(*constants == 15 && constants[1] == 16 && size == 2 * sizeof(int));
    CHECK(both->there == &there && structure.there == &there && of_all.there == &there);
    CHECK(fixed[0] == &here && fixed_too[0] == &here && *to_here == &here && copied_too[0] == &here);
    if (MYTHREAD == 0) CHECK(*of_all.here == 11 && *of_all.constant == 21);
    change(&numbers[2], 3);
    change(second, 5);
    change(&list->value, 1);
    change(&list->next->value, 2);
    change(&table[0].a[1], 8);
    change(table[1].a, 9);
    change(*to_here, 0);
    change(both->here, 10);
    change(member, 12);
    change(fixed[1], 13);
    change(fixed_too[1], 14);
    change(&copied[1], 18);
    change(copied_too[1], 19);
    change(structure.here, 20);
    CHECK(bytes[0] == 1);
    upc_barrier;
    bytes[0] = (char)MYTHREAD;
    upc_barrier;
    CHECK(bytes[0] == (char)MYTHREAD && bytes[1] == 1);
    return finish();
}
