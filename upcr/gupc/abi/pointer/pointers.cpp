// SPDX-License-Identifier: BSD-3-Clause
// The parts of a pointer-to-shared (UPC 1.3 7.2.3), for programs of GCC-UPC and Clang-UPC. Any value is
// allowed, valid or not. Any thread.
#include <cstddef>

#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/pointer/position.hpp"
#include "upcr/sptr.h"

namespace gupc {
namespace {

// 0 for threads that do not exist.
std::size_t bytes_on(std::size_t total, std::size_t block, std::size_t thread) {
  return thread < upcri_window.threads ? upcr_affinitysize(total, block, static_cast<upcr_thread_t>(thread))
                                       : 0;
}

}  // namespace

extern "C" {

size_t upc_threadof(upc_shared_ptr_t p) { return gupc_thread(p); }
size_t upc_phaseof(upc_shared_ptr_t p) { return gupc_phase(p); }
// The offset from __upc_shared_start in both forms, although that of structs has the address in its field.
size_t upc_addrfield(upc_shared_ptr_t p) { return gupc_is_null(p) ? 0 : gupc_offset(p); }

upc_shared_ptr_t upc_resetphase(upc_shared_ptr_t p) {
  return gupc_is_null(p) ? p : gupc_make(gupc_offset(p), gupc_thread(p), 0);
}

size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid) {
  return bytes_on(totalsize, nbytes, threadid);
}
// The name of the g form of the last one in the compilers' header.
size_t upc_affinity(size_t totalsize, size_t nbytes, size_t threadid) {
  return bytes_on(totalsize, nbytes, threadid);
}

size_t upc_threadofg(upc_shared_ptr_t p, const char* file, int line) {
  at(file, line);
  return upc_threadof(p);
}
size_t upc_phaseofg(upc_shared_ptr_t p, const char* file, int line) {
  at(file, line);
  return upc_phaseof(p);
}
size_t upc_addrfieldg(upc_shared_ptr_t p, const char* file, int line) {
  at(file, line);
  return upc_addrfield(p);
}
upc_shared_ptr_t upc_resetphaseg(upc_shared_ptr_t p, const char* file, int line) {
  at(file, line);
  return upc_resetphase(p);
}
size_t upc_affinitysizeg(size_t totalsize, size_t nbytes, size_t threadid, const char* file, int line) {
  at(file, line);
  return bytes_on(totalsize, nbytes, threadid);
}

}  // extern "C"

}  // namespace gupc
