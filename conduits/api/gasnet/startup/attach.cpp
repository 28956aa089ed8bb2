// SPDX-License-Identifier: BSD-3-Clause
// gasnet_attach: handlers, segments, and the connection. Initial thread.
//
// Core's segments have one size, the largest that a node asks for; the unused part of the others' file takes
// no memory. Other nodes see each node's own size.
#include <unistd.h>

#include <algorithm>

#include "conduits/api/gasnet/coll/call.hpp"
#include "conduits/api/gasnet/startup/wait_report.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/startup/error_reporter.hpp"
#include "conduits/core/startup/startup.hpp"

namespace upcr::gasnet {
namespace {

// The arguments of gasnet_attach(), for attach_job()'s callback.
struct Attach {
  const gasnet_handlerentry_t* table;
  int entries;
  std::vector<std::uint64_t> sizes;  // of the nodes' segments
};
Attach* current = nullptr;

unsigned stride_bits(std::size_t bytes) {
  unsigned bits = 30;
  while ((std::size_t{1} << bits) < bytes + GASNETT_PAGESIZE) ++bits;  // a gap between neighbours
  return bits;
}

void publish_peers(const Job& j, const std::vector<std::uint64_t>& sizes) {
  Client& c = client();
  c.peers.resize(j.topology.size);
  for (Rank r = 0; r < j.topology.size; ++r) {
    const Slot s = j.topology.first_slot[r];
    gasneti_peer_t& peer = c.peers[r];
    if (c.everything) {
      peer = {0, UINTPTR_MAX, 0, r == j.topology.rank};
      continue;
    }
    const std::uintptr_t here = j.segments.mapped[s];
    peer.addr = sizes[r] != 0 ? j.segments.remote[s] : 0;
    peer.size = sizes[r];
    peer.shared = here != 0;
    peer.shift = here != 0 ? static_cast<std::intptr_t>(here - j.segments.remote[s]) : 0;
    c.nodes[r].offset = static_cast<std::uintptr_t>(peer.shift);
  }
  gasneti_state.peers = c.peers.data();
  if (!observing) return;
  c.peers_of_inlined = c.peers;
  for (gasneti_peer_t& peer : c.peers_of_inlined) peer.shared = 0;
  gasneti_state.peers = c.peers_of_inlined.data();
}

// Before the barrier at the end of attach.
void ready(Job& j) {
  if (j.engine->max_medium() < gasneti_state.max_medium)
    fatal("conduit %s carries messages of %zu bytes; GASNet clients need %zu", j.conduit->name(),
          j.engine->max_medium(), gasneti_state.max_medium);
  publish_peers(j, current->sizes);
  register_handlers(*j.engine, current->table, current->entries);
  coll::attach(*j.engine);
  j.bootstrap->on_question(describe_node);
  j.progress.on_stall(report_stall);
  const gasneti_peer_t& mine = client().peers[j.topology.rank];
  if (gasnet_client_attach_hook != nullptr)
    gasnet_client_attach_hook(reinterpret_cast<void*>(mine.addr), mine.size);
}

}  // namespace

extern "C" {

__attribute__((weak)) GASNETI_API void (*gasnet_client_attach_hook)(void*, uintptr_t) = nullptr;

GASNETI_API int gasnet_attach(gasnet_handlerentry_t* table, int numentries, uintptr_t segsize, uintptr_t) {
  const char* const me = "gasnet_attach";
  Client& c = client();
  if (c.stage.load() == Stage::kNone)
    return refuse({GASNET_ERR_NOT_INIT, me}, "gasnet_attach called before gasnet_init");
  if (c.stage.load() == Stage::kAttached)
    return refuse({GASNET_ERR_NOT_INIT, me}, "gasnet_attach called twice");
  if (c.everything) segsize = 0;
  if (segsize % GASNETT_PAGESIZE != 0)
    return refuse({GASNET_ERR_BAD_ARG, me}, "segsize %zu is no multiple of GASNET_PAGESIZE (%d)",
                  static_cast<std::size_t>(segsize), GASNETT_PAGESIZE);
  if (segsize > c.max_local)
    return refuse({GASNET_ERR_BAD_ARG, me}, "segsize %zu is more than gasnet_getMaxLocalSegmentSize(), %zu",
                  static_cast<std::size_t>(segsize), static_cast<std::size_t>(c.max_local));
  const char* mistake = nullptr;
  if (numentries < 0 || (numentries > 0 && table == nullptr) || !choose_indices(table, numentries, &mistake))
    return refuse({GASNET_ERR_RESOURCE, me}, "error registering handlers: %s",
                  mistake != nullptr ? mistake : "no table");
  Attach attach{table, numentries, std::vector<std::uint64_t>(job().topology.size)};
  const std::uint64_t mine = segsize;
  job().bootstrap->allgather(&mine, sizeof mine, attach.sizes.data());
  const std::uint64_t largest = *std::max_element(attach.sizes.begin(), attach.sizes.end());
  AttachOptions options;
  options.segment_bytes = std::max<std::size_t>(
      round_up(largest, static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), GASNETT_PAGESIZE);
  options.stride_bits = stride_bits(options.segment_bytes);
  options.everything = c.everything;
  options.one_thread_only = c.threads == ThreadModel::kSeq;  // its atomics and locks are plain memory
  options.multithreaded = c.threads == ThreadModel::kPar;
  options.ready = ready;
  current = &attach;
  attach_job(job(), options);
  current = nullptr;
  report_errors_of_program();
  c.stage.store(Stage::kAttached, std::memory_order_release);
  return GASNET_OK;
}

}  // extern "C"

}  // namespace upcr::gasnet
