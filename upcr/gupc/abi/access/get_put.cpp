// SPDX-License-Identifier: BSD-3-Clause
// __get{mode}2, __put{mode}2 and their strict (s), instrumented (g) and split forms, for the nine modes.
//
// A mode is what GCC calls a machine mode: qi hi si di ti are integers of 1 to 16 bytes, sf and df float and
// double, tf and xf long double. The number at the end counts a result and the arguments as GCC does, and
// some digits are shared: __getqi3 is split, __getgqi3 instrumented. The split forms name the object by
// thread and offset from __upc_shared_start, whatever a pointer-to-shared looks like.
#include "gasp_upc.h"
#include "upcr/gupc/abi/access/access.hpp"
#include "upcr/gupc/abi/tool/tool.hpp"

namespace gupc {
namespace {

using qi = std::uint8_t;
using hi = std::uint16_t;
using si = std::uint32_t;
using di = std::uint64_t;
__extension__ using ti = unsigned __int128;
using sf = float;
using df = double;
using tf = long double;
using xf = long double;

template <Order order, class T>
T instrumented_get(upc_shared_ptr_t src, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t where = as_upcr_pointer(src);
  T value;
  events.span(
      GASP_UPC_GET, [&] { value = get<order, T>(gupc_checked(src, sizeof value)); },
      order == kRelaxed ? 1 : 0, static_cast<void*>(&value), &where, sizeof value);
  return value;
}

template <Order order, class T>
void instrumented_put(upc_shared_ptr_t dst, T value, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t where = as_upcr_pointer(dst);
  events.span(
      GASP_UPC_PUT, [&] { put<order>(gupc_checked(dst, sizeof value), value); }, order == kRelaxed ? 1 : 0,
      &where, static_cast<const void*>(&value), sizeof value);
}

}  // namespace

// A macro, because C has nothing else that makes names: the eight pointer forms and four split ones of a
// mode.
#define GUPC_GET_PUT(m)                                                                                   \
  m __get##m##2(upc_shared_ptr_t src) { return get<kRelaxed, m>(gupc_checked(src, sizeof(m))); }          \
  m __gets##m##2(upc_shared_ptr_t src) { return get<kStrict, m>(gupc_checked(src, sizeof(m))); }          \
  void __put##m##2(upc_shared_ptr_t dst, m value) { put<kRelaxed>(gupc_checked(dst, sizeof(m)), value); } \
  void __puts##m##2(upc_shared_ptr_t dst, m value) { put<kStrict>(gupc_checked(dst, sizeof(m)), value); } \
  m __getg##m##3(upc_shared_ptr_t src, const char* file, int line) {                                      \
    return instrumented_get<kRelaxed, m>(src, file, line);                                                \
  }                                                                                                       \
  m __getsg##m##3(upc_shared_ptr_t src, const char* file, int line) {                                     \
    return instrumented_get<kStrict, m>(src, file, line);                                                 \
  }                                                                                                       \
  void __putg##m##4(upc_shared_ptr_t dst, m value, const char* file, int line) {                          \
    instrumented_put<kRelaxed>(dst, value, file, line);                                                   \
  }                                                                                                       \
  void __putsg##m##4(upc_shared_ptr_t dst, m value, const char* file, int line) {                         \
    instrumented_put<kStrict>(dst, value, file, line);                                                    \
  }                                                                                                       \
  m __get##m##3(long thread, long offset) { return get<kRelaxed, m>(split(thread, offset, sizeof(m))); }  \
  m __gets##m##3(long thread, long offset) { return get<kStrict, m>(split(thread, offset, sizeof(m))); }  \
  void __put##m##3(long thread, long offset, m value) {                                                   \
    put<kRelaxed>(split(thread, offset, sizeof(m)), value);                                               \
  }                                                                                                       \
  void __puts##m##3(long thread, long offset, m value) {                                                  \
    put<kStrict>(split(thread, offset, sizeof(m)), value);                                                \
  }

extern "C" {

GUPC_GET_PUT(qi)
GUPC_GET_PUT(hi)
GUPC_GET_PUT(si)
GUPC_GET_PUT(di)
GUPC_GET_PUT(ti)
GUPC_GET_PUT(sf)
GUPC_GET_PUT(df)
GUPC_GET_PUT(tf)
GUPC_GET_PUT(xf)

}  // extern "C"

}  // namespace gupc
