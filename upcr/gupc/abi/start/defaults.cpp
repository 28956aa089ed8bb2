// SPDX-License-Identifier: BSD-3-Clause
// What a program says about its compiler (upcc's generated object defines these), for programs that say
// nothing. Alone in this file: nobody here may assume the values.
#include "upcr/gupc/abi/pointer/pts.h"

extern "C" {

__attribute__((weak)) extern const struct upcri_gupc_format upcri_gupc_format = {
    0, 30, 20, 0, (UINT64_C(1) << 34) - 1, (1 << 10) - 1, (1 << 20) - 1};

// Of flags and operators: 0 is UPC 1.3, 2012 the earlier one.
__attribute__((weak)) extern const int upcri_gupc_encoding = 0;

}  // extern "C"
