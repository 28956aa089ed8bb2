/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of objects that both files of the program use; tentative definitions are one object. */
struct record {
    shared struct record *next;
    int n;
};
extern shared int defined_in_first, defined_in_second;
shared int tentative_in_both;
shared[3] long array_in_both[3 * THREADS];
extern shared[2] int without_bound[];
extern shared[] int initialised_array[4];
extern shared struct record head;
extern shared int *private_pointer;
extern shared int *shared shared_pointer;
extern int own;
extern struct record own_record;
static shared int in_each_file = 7;
shared int *address_of_other(int which);
