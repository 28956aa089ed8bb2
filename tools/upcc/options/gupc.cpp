// SPDX-License-Identifier: BSD-3-Clause
// See gupc.hpp.
#include "tools/upcc/options/gupc.hpp"

#include <sstream>

namespace upcc {
namespace {

// PHASE,THREAD,ADDRESS: 64 bits at most, or fields would overlap.
void set_bits(Gupc& gupc, const std::string& text) {
  std::istringstream in(text);
  char comma[2] = {};
  unsigned bits[3] = {};
  in >> bits[0] >> comma[0] >> bits[1] >> comma[1] >> bits[2];
  bool fits = in && in.peek() == EOF && comma[0] == ',' && comma[1] == ',';
  for (unsigned b : bits) fits = fits && b >= 1 && b < 64;
  if (!fits || bits[0] + bits[1] + bits[2] > 64 || bits[1] > 32 || bits[0] > 32)
    fatal(
        "--packed-bits: '" + text +
        "' does not divide 64 bits among phase, thread and address; expected three numbers, such as 20,10,34");
  gupc.phase_bits = bits[0];
  gupc.thread_bits = bits[1];
  gupc.address_bits = bits[2];
}

bool one_of(const std::string& option, const std::string& value, const char* no, const char* yes) {
  if (value != no && value != yes) fatal(option + ": '" + value + "' is neither " + no + " nor " + yes);
  return value == yes;
}

}  // namespace

void set_gupc_option(Gupc& gupc, const std::string& name, const std::string& value) {
  if (name == "fupc-pts")
    gupc.is_struct = one_of("--pts", value, "packed", "struct");
  else if (name == "fupc-pts-vaddr-order")
    gupc.address_last = one_of("--pts-vaddr-order", value, "first", "last");
  else if (name == "fupc-packed-bits")
    set_bits(gupc, value);
  else if (name == "fupc-pthreads-model-tls")
    gupc.pthreads = true;
}

void set_gupc_encoding(Gupc& gupc, const std::string& name) {
  gupc.encoding = one_of("--encoding", name, "gupc-1.3", "gupc-2012") ? 2012 : 0;
}

Arguments gupc_compile_options(const Gupc& gupc, unsigned threads) {
  // Addresses in the linker sections are parts of pointers-to-shared, so they must be equal in all processes.
  Arguments arguments = {"-fno-pie", "-DUPCR_USING_LINKADDRS=1"};
  arguments.push_back(gupc.is_struct ? "-D__UPC_PTS_STRUCT_REP__=1" : "-D__UPC_PTS_PACKED_REP__=1");
  arguments.push_back(std::string("-D__UPC_VADDR_FIRST__=") + (gupc.address_last ? "0" : "1"));
  if (gupc.pthreads) arguments.push_back("-D__UPC_PTHREADS_MODEL_TLS__=1");
  if (threads != 0)
    arguments.insert(arguments.end(), {"-D__UPC_STATIC_THREADS__=1", "-DTHREADS=" + std::to_string(threads)});
  return arguments;
}

}  // namespace upcc
