// SPDX-License-Identifier: BSD-3-Clause
// Errors that the archives upcr/gupc/abi/ find: they cannot call fatal(), which is internal C++. Any thread,
// before start-up too, when messages have no prefix yet.
#include "conduits/core/base/report/error.hpp"
#include "include/upcr/gupc.h"
#include "upcr/state/runtime.hpp"

extern "C" void upcri_gupc_fatal(const char* text) {
  upcr::install_upc_client_api();
  upcr::fatal("%s", text);
}
