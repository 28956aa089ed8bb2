/* SPDX-License-Identifier: BSD-3-Clause */
/* main with three parameters, its name, and a return in the middle. */
#include <upc.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[], char **envp) {
    int variables = 0;
    while (envp[variables] != NULL) variables++;
    if (argc != 1 || argv[argc] != NULL || variables == 0) return 4;
    if (strcmp(__func__, "main") != 0 || sizeof __func__ != sizeof "main" || strcmp(__FUNCTION__, "main") != 0) return 5;
    upc_barrier;
    if (MYTHREAD != 0) return 0;
    puts("done");
    return 0;
}
