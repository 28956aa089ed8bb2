// SPDX-License-Identifier: BSD-3-Clause
// upcr_info --heap: the shared heaps that a job gets on this machine, with this environment. upcr_info itself
// is the job: of one UPC thread when run alone, of as many as upcrun starts.
#include <cstdio>

#include "conduits/core/base/config/config.hpp"
#include "sections.hpp"
#include "upcr.h"

namespace {

struct Size {
  char text[32];
  explicit Size(std::size_t bytes) { upcr::format_size(bytes, text, sizeof text); }
};

void print_thread(upcr_thread_t thread) {
  struct upcr_heap_info heap;
  upcr_heap_info(thread, &heap);
  std::printf(
      "UPC thread %u: %s; used %s by %zu local and %s by %zu global objects; largest available: %s local, "
      "%s global\n",
      thread, Size(heap.size).text, Size(heap.local_used).text, heap.local_objects,
      Size(heap.global_used).text, heap.global_objects, Size(heap.local_largest).text,
      Size(heap.global_largest).text);
}

}  // namespace

int print_heap(int argc, char** argv) {
  bupc_init(&argc, &argv);
  upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
  if (upcr_mythread() == 0)
    for (upcr_thread_t t = 0; t < upcr_threads(); ++t) print_thread(t);
  bupc_exit(0);
  return 0;
}
