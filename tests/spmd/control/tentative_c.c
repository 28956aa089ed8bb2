/* SPDX-License-Identifier: BSD-3-Clause */
/* See tentative_main.c: a second C file, compiled with -fcommon. */
#include "bupc_tentative.h"

int c_file_sees_upc(void);
int c_file_sees_upc(void) { return bupc_tentative_mythread != NULL && bupc_tentative_version_major == 1; }
