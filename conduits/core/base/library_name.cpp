// SPDX-License-Identifier: BSD-3-Clause
// For programs that are linked with the layers' objects; a shared library has its own definition of its name
// (tools/cmake/library_name.cpp), a static one of its modules (tools/cmake/UpcrStatic.cmake).
#include "conduits/core/base/modules.hpp"

namespace upcr {

__attribute__((weak)) const char* library_name() { return ""; }

__attribute__((weak)) const std::span<const LinkedModule>* linked_modules() { return nullptr; }

}  // namespace upcr
