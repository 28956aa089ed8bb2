// SPDX-License-Identifier: BSD-3-Clause
// Compiled for each shared library that loads modules.
#include "conduits/core/base/modules.hpp"

namespace upcr {

const char* library_name() { return UPCR_LIBRARY_NAME; }

}  // namespace upcr
