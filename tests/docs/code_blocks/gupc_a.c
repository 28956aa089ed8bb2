/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages' a.o: what GCC-UPC makes of a file with main, without static shared data. */
extern const int MYTHREAD, THREADS;
void __upc_barrier(int number);
int from_b(int number);
int upc_main(int argc, char **argv);

int upc_main(int argc, char **argv) {
    (void)argv;
    __upc_barrier(1);
    return argc < 1 || from_b(MYTHREAD) != MYTHREAD + THREADS;
}
