// SPDX-License-Identifier: BSD-3-Clause
// Errors of invalid pointers-to-shared (convert.h). Out of line, so that an access contains only a
// comparison and a call. The messages begin as those of GCC-UPC's library.
#include <cstdint>
#include <cstdio>

#include "upcr/gupc/abi/pointer/convert.h"

namespace {

using Number = unsigned long long;  // what %llu and %llx print

struct Message {
  char text[400];
};

[[noreturn]] void refuse_null(std::size_t bytes) {
  Message m;
  std::snprintf(m.text, sizeof m.text, "Invalid access via null shared pointer: %zu bytes", bytes);
  upcri_gupc_fatal(m.text);
}

[[noreturn]] void refuse_range(std::uint64_t thread, std::uint64_t offset, std::size_t bytes) {
  Message m;
  if (thread >= upcri_window.threads)
    std::snprintf(
        m.text, sizeof m.text,
        "Thread number in shared address is out of range: thread %llu, but THREADS is %u (%zu bytes "
        "at offset %#llx)",
        Number{thread}, upcri_window.threads, bytes, Number{offset});
  else
    std::snprintf(m.text, sizeof m.text,
                  "Virtual address in shared address is out of range: %zu bytes at offset %#llx of thread "
                  "%llu, which has %#llx bytes of shared memory",
                  bytes, Number{offset}, Number{thread}, Number{upcri_gupc_reach});
  upcri_gupc_fatal(m.text);
}

}  // namespace

extern "C" {

void upcri_gupc_refuse_early(const char* function) {
  Message m;
  std::snprintf(m.text, sizeof m.text,
                "UPC runtime not initialized: %s is called before main() of the GCC/UPC library has started "
                "the UPC threads",
                function);
  upcri_gupc_fatal(m.text);
}

void upcri_gupc_refuse(upc_shared_ptr_t p, size_t bytes) {
  gupc_need_runtime("an access to shared memory");
  if (gupc_is_null(p)) refuse_null(bytes);
  refuse_range(gupc_thread(p), gupc_offset(p), bytes);
}

void upcri_gupc_refuse_at(uint64_t thread, uint64_t offset, size_t bytes) {
  gupc_need_runtime("an access to shared memory");
  if ((thread | offset) == 0) refuse_null(bytes);
  refuse_range(thread, offset, bytes);
}

void upcri_gupc_refuse_cast(upc_shared_ptr_t p) {
  Message m;
  std::snprintf(m.text, sizeof m.text,
                "Invalid conversion of shared address to local pointer: offset %#llx has affinity to thread "
                "%u, the caller is thread %u",
                Number{gupc_offset(p)}, gupc_thread(p), upcri_mythread_);
  upcri_gupc_fatal(m.text);
}

void upcri_gupc_refuse_inlined(upc_shared_ptr_t p) {
  Message m;
  std::snprintf(
      m.text, sizeof m.text,
      "Invalid inlined access: offset %#llx of thread %u is not mapped in the process of thread %u, and "
      "the compiler has inlined accesses that reach mapped memory only; compile the program's files "
      "with -fno-upc-inline-lib, or run all threads on one host with UPCR_PSHM=yes",
      Number{gupc_offset(p)}, gupc_thread(p), upcri_mythread_);
  upcri_gupc_fatal(m.text);
}

void upcri_gupc_refuse_width(uint64_t offset) {
  Message m;
  std::snprintf(m.text, sizeof m.text,
                "offset %#llx of shared memory does not fit the address field of the compiler's packed "
                "pointer-to-shared (largest: %#llx); use a smaller heap, or a compiler with a wider field "
                "(-fupc-packed-bits)",
                Number{offset}, Number{upcri_gupc_format.address_mask});
  upcri_gupc_fatal(m.text);
}

}  // extern "C"
