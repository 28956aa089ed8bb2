// SPDX-License-Identifier: BSD-3-Clause
// Link addresses of static shared data, and the addresses of each thread's copy (include/upcr/linkaddr.h).
#include "include/upcr/linkaddr.h"

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/gupc.h"
#include "upcr/gupc/program/sections.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::gupc {
namespace {

std::size_t offset_of(const void* linkaddr, const char* function) {
  const Bytes section = shared_section();
  const char* const at = static_cast<const char*>(linkaddr);
  if (upcri_gupc_statics == 0) fatal("%s called before the program's static data was set up", function);
  if (section.begin == nullptr || at < section.begin || at > section.end)
    fatal("%s: %p is no link address of a shared variable: the section upc_shared is %p to %p", function,
          linkaddr, static_cast<const void*>(section.begin), static_cast<const void*>(section.end));
  return static_cast<std::size_t>(at - section.begin);
}

// `offset` counts from the start of a segment.
void* linkaddr_at(std::uint64_t offset, const char* function) {
  const Bytes section = shared_section();
  if (upcri_gupc_statics == 0) fatal("%s called before the program's static data was set up", function);
  if (section.begin == nullptr || offset - upcri_gupc_statics > section.size())
    fatal("%s: offset %#llx of shared memory is no static data: that is at %#llx, %zu bytes", function,
          static_cast<unsigned long long>(offset), static_cast<unsigned long long>(upcri_gupc_statics),
          section.begin != nullptr ? section.size() : 0);
  return const_cast<char*>(section.begin) + (offset - upcri_gupc_statics);
}

}  // namespace
extern "C" {

UPCRI_API void* upcr_linkaddr_to_local(const void* linkaddr) {
  ThreadCtx& c = ctx("upcr_linkaddr_to_local");
  return c.segment + upcri_gupc_statics + gupc::offset_of(linkaddr, "upcr_linkaddr_to_local");
}

UPCRI_API void* upcr_local_to_linkaddr(const void* local) {
  ThreadCtx& c = ctx("upcr_local_to_linkaddr");
  // Below the segment: an offset that is too large.
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(local) - c.segment);
  return gupc::linkaddr_at(offset, "upcr_local_to_linkaddr");
}

UPCRI_API upcr_shared_ptr_t upcr_linkaddr_to_shared(const void* linkaddr, upcr_thread_t thread) {
  ctx("upcr_linkaddr_to_shared");
  const std::size_t offset = gupc::offset_of(linkaddr, "upcr_linkaddr_to_shared");
  if (thread >= job().topology.slots())
    fatal("upcr_linkaddr_to_shared: there is no UPC thread %u, the last is %u", thread,
          job().topology.slots() - 1);
  return encode({thread, upcri_gupc_statics + offset});
}

UPCRI_API void* upcr_shared_to_linkaddr(upcr_shared_ptr_t sptr) {
  ctx("upcr_shared_to_linkaddr");
  return gupc::linkaddr_at(decode(sptr).offset, "upcr_shared_to_linkaddr");
}

}  // extern "C"

}  // namespace upcr::gupc
