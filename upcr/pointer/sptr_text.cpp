// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared as text, and from a local address: the operations that use the map of all segments. Any
// thread.
#include "upcr/pointer/sptr_text.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstdio>

#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

extern "C" {

int _bupc_dump_shared(upcr_shared_ptr_t ptr, char* buf, int maxlen) {
  if (buf == nullptr || maxlen < BUPC_DUMP_MIN_LENGTH) {
    errno = EINVAL;
    return -1;
  }
  if (upcr_isnull_shared(ptr)) {
    std::snprintf(buf, static_cast<std::size_t>(maxlen), "<NULL>");
    return 0;
  }
  const upcr::SharedAddr a = upcr::decode(ptr);
  const auto& remote = upcr::job().segments.remote;
  const std::uint64_t address = a.thread < remote.size() ? remote[a.thread] + a.offset : 0;
  std::snprintf(buf, static_cast<std::size_t>(maxlen),
                "<address=0x%" PRIx64 " (addrfield=0x%" PRIx64 "), thread=%u, phase=%u>", address, a.offset,
                a.thread, upcr_phaseof_shared(ptr));
  return 0;
}

int upcri_dump_shared(upcr_shared_ptr_t ptr, char* buf, int maxlen) {
  return _bupc_dump_shared(ptr, buf, maxlen);
}

void upcri_print_shared(upcr_shared_ptr_t sptr) { std::printf("%s\n", upcr::PointerText(sptr).c_str()); }

void upcri_print_pshared(upcr_pshared_ptr_t sptr) { upcri_print_shared(upcri_with_phase(sptr, 0)); }

upcr_shared_ptr_t _bupc_inverse_cast(void* ptr) {
  upcr::SharedAddr a;
  if (ptr == nullptr || !upcr::job().segments.find(upcr::job().topology, ptr, &a.thread, &a.offset))
    return upcr_null_shared;
  return upcr::encode(a);
}

}  // extern "C"
