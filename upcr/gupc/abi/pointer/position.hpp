// SPDX-License-Identifier: BSD-3-Clause
// The g forms of entry points: instrumented code passes file and line, which messages include.
#pragma once
#include "upcr/layout.h"

namespace gupc {

// The UPC statement that the calling UPC thread executes from now on. `file` lives as long as the program.
inline void at(const char* file, int line) { upcri_set_srcpos(file, line); }

}  // namespace gupc
