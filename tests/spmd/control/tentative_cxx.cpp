// SPDX-License-Identifier: BSD-3-Clause
// See tentative_main.c: the C++ file.
#include "bupc_tentative.h"

extern "C" int cxx_file_sees_upc() {
  return bupc_tentative_threads != nullptr && bupc_tentative_version_major == 1;
}
