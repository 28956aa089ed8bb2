// SPDX-License-Identifier: BSD-3-Clause
// Defaults of the variables that describe a program's compiler (upcc's generated object defines them), for
// programs without them. In a file of their own, so that no function here is compiled with the values as
// constants.
#include "upcr/gupc/abi/pointer/pts.h"

extern "C" {

__attribute__((weak)) extern const struct upcri_gupc_format upcri_gupc_format = {
    0, 30, 20, 0, (UINT64_C(1) << 34) - 1, (1 << 10) - 1, (1 << 20) - 1};

// Of flags and operators: 0 is UPC 1.3, 2012 the earlier one.
__attribute__((weak)) extern const int upcri_gupc_encoding = 0;

}  // extern "C"
