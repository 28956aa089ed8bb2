// SPDX-License-Identifier: BSD-3-Clause
// MYTHREAD on threads that the program starts itself, as those of OpenMP.
#pragma once
#include "include/upcr/types.h"

namespace upcr {

// Where a process is one UPC thread, threads that are started from now on read this number as theirs: they
// get it as the initial value of the thread-local variable that holds it, so that reading it costs nothing
// more. Does nothing where the C library keeps no initial values in the module that defines the variable.
void number_later_threads(upcr_thread_t mine) noexcept;

}  // namespace upcr
