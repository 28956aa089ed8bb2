// SPDX-License-Identifier: BSD-3-Clause
// For programs that are linked with the layers' objects; a shared library has its own definition
// (tools/cmake/library_name.cpp).
#include "conduits/core/base/modules.hpp"

namespace upcr {

__attribute__((weak)) const char* library_name() { return ""; }

}  // namespace upcr
