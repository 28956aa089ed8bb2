// SPDX-License-Identifier: BSD-3-Clause
// --abi=gupc: programs of objects that GCC-UPC or Clang-UPC compiled. The options say how that compiler was
// configured; upcc writes their values into the program (link/gupc.cpp), where the library reads them.
#pragma once
#include <string>

#include "tools/upcc/base/process.hpp"

namespace upcc {

struct Gupc {
  bool on = false;
  bool is_struct = false;     // the form of pointers-to-shared; false: packed
  bool address_last = false;  // the order of its fields
  unsigned phase_bits = 20, thread_bits = 10, address_bits = 34;  // packed
  int encoding = 0;                                               // upcri_gupc_encoding
  bool pthreads = false;  // -fupc-pthreads-model-tls; without it the objects' symbols decide
};

// Applies an option of the compiler; `name` without its dash, `value` "" where it has none. Options that mean
// nothing to upcc are accepted.
void set_gupc_option(Gupc& gupc, const std::string& name, const std::string& value);
void set_gupc_encoding(Gupc& gupc, const std::string& name);

// Options of every compilation. `threads`: THREADS, 0: any.
Arguments gupc_compile_options(const Gupc& gupc, unsigned threads);

}  // namespace upcc
