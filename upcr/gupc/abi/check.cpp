// SPDX-License-Identifier: BSD-3-Clause
// The errors of a pointer-to-shared that cannot be used (convert.h). Out of line, so that accesses carry a
// compare and a call that is never made. The first words are those that users of GCC-UPC's library know.
#include <cstdint>
#include <cstdio>

#include "upcr/gupc/abi/convert.h"

namespace {

struct Message {
  char text[240];
};

unsigned long long number(std::uint64_t n) { return n; }

}  // namespace

extern "C" {

void upcri_gupc_refuse(upc_shared_ptr_t p, size_t bytes) {
  Message m;
  const std::uint64_t reach = upcri_gupc_reach;
  if (reach == 0)
    std::snprintf(m.text, sizeof m.text,
                  "UPC runtime not initialized: %zu bytes of shared memory are accessed before main() of the "
                  "GCC/UPC library has started it",
                  bytes);
  else if (gupc_is_null(p))
    std::snprintf(m.text, sizeof m.text, "Invalid access via null shared pointer: %zu bytes", bytes);
  else if (gupc_thread(p) >= upcri_window.threads)
    std::snprintf(
        m.text, sizeof m.text,
        "Thread number in shared address is out of range: thread %u, but THREADS is %u (offset %#llx)",
        gupc_thread(p), upcri_window.threads, number(gupc_offset(p)));
  else
    std::snprintf(
        m.text, sizeof m.text,
        "Virtual address in shared address is out of range: %zu bytes at offset %#llx of thread %u, "
        "which has %#llx bytes of shared memory",
        bytes, number(gupc_offset(p)), gupc_thread(p), number(reach));
  upcri_gupc_fatal(m.text);
}

void upcri_gupc_refuse_cast(upc_shared_ptr_t p) {
  Message m;
  std::snprintf(
      m.text, sizeof m.text,
      "Invalid conversion of shared address to local pointer: offset %#llx has affinity to thread %u, "
      "the caller is thread %u",
      number(gupc_offset(p)), gupc_thread(p), upcri_mythread_);
  upcri_gupc_fatal(m.text);
}

void upcri_gupc_refuse_width(uint64_t offset) {
  Message m;
  std::snprintf(m.text, sizeof m.text,
                "offset %#llx of shared memory does not fit the address field of the compiler's packed "
                "pointer-to-shared (largest: %#llx); use a smaller heap, or a compiler with a wider field "
                "(-fupc-packed-bits)",
                number(offset), number(upcri_gupc_format.address_mask));
  upcri_gupc_fatal(m.text);
}

}  // extern "C"
