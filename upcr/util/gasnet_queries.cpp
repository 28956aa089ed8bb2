// SPDX-License-Identifier: BSD-3-Clause
// The GASNet-1 queries that a UPC program may use. A node is a process; its segment is the memory of its UPC
// threads. With several of them per process their segments are far apart in the address reservation, so the
// process maps its part of the host's shared memory once more, contiguously.
#include "include/upcr/gasnet_queries.h"

#include <sys/mman.h>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/segment_spread.hpp"
#include "include/upcr/layout.h"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

void* map_contiguously(const Job& j, std::size_t bytes) {
  const Topology& t = j.topology;
  const Slot before = t.my_first_slot() - t.window_group_first_slot();
  const std::size_t offset = segment_offset(j.memory_file, t.window_group_slots(), before);
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, j.memory_file.fd(),
                 static_cast<off_t>(offset));
  if (p == MAP_FAILED)
    fatal_errno(
        "cannot map the shared memory of this process's %u UPC threads, %zu bytes, a second time "
        "(check ulimit -v)",
        t.my_slots(), bytes);
  return p;
}

}  // namespace

void collect_process_info() {
  const Job& j = job();
  const Topology& t = j.topology;
  ProcessInfo mine = {
      {reinterpret_cast<void*>(j.segments.mapped[t.my_first_slot()]), t.my_slots() * j.segments.bytes},
      t.host_name,
      t.window_group_first};
  if (t.my_slots() > 1) mine.segment.addr = map_contiguously(j, mine.segment.size);
  runtime().process_table = j.bootstrap->gather(&mine, sizeof mine);
  runtime().processes = runtime().process_table.of<ProcessInfo>();
}

extern "C" {

UPCRI_API uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  upcri_check_started("gasnet_getMaxLocalSegmentSize");
  return runtime().max_local * runtime().threads_here;
}

UPCRI_API uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  upcri_check_started("gasnet_getMaxGlobalSegmentSize");
  return runtime().max_global * runtime().threads_here;
}

UPCRI_API int gasnet_getSegmentInfo(gasnet_seginfo_t* table, int n) {
  const std::span<const ProcessInfo> all = runtime().processes;
  if (all.empty()) fatal("gasnet_getSegmentInfo called before upcr_startup_attach()");
  for (int i = 0; i < n && static_cast<std::size_t>(i) < all.size(); ++i) table[i] = all[i].segment;
  return 0;
}

}  // extern "C"
}  // namespace upcr
