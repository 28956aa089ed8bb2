// SPDX-License-Identifier: BSD-3-Clause
// The clients' queries about the job. Any thread.
#include <algorithm>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/environment.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr::gasnet {
namespace {

struct CodeText {
  int code;
  const char *name, *description;
};
constexpr CodeText kCodes[] = {
    {GASNET_OK, "GASNET_OK", "No error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT", "GASNet message layer not initialized"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE", "Problem with requested resource"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG", "Invalid function parameter passed"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY", "Non-blocking operation not complete"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH", "Barrier id's mismatched"},
};

}  // namespace

extern "C" {

GASNETI_API const char* gasnet_ErrorName(int code) {
  for (const CodeText& c : kCodes)
    if (c.code == code) return c.name;
  return "*unknown*";
}

GASNETI_API const char* gasnet_ErrorDesc(int code) {
  for (const CodeText& c : kCodes)
    if (c.code == code) return c.description;
  return "no description available";
}

GASNETI_API void gasneti_require_started(const char* function) { require_started(function); }

GASNETI_API uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  require_started("gasnet_getMaxLocalSegmentSize");
  return client().max_local;
}

GASNETI_API uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  require_started("gasnet_getMaxGlobalSegmentSize");
  return client().max_global;
}

GASNETI_API int gasnet_getSegmentInfo(gasnet_seginfo_t* table, int n) {
  require_attached("gasnet_getSegmentInfo");
  const std::vector<gasneti_peer_t>& peers = client().peers;
  for (int i = 0; i < n && static_cast<std::size_t>(i) < peers.size(); ++i)
    table[i] = {reinterpret_cast<void*>(peers[i].addr), peers[i].size};
  return GASNET_OK;
}

GASNETI_API int gasnet_getNodeInfo(gasnet_nodeinfo_t* table, int n) {
  require_started("gasnet_getNodeInfo");
  if (n < 0) return refuse({GASNET_ERR_BAD_ARG, "gasnet_getNodeInfo"}, "numentries is %d", n);
  const std::vector<gasnet_nodeinfo_t>& nodes = client().nodes;
  std::copy_n(nodes.begin(), std::min(static_cast<std::size_t>(n), nodes.size()), table);
  return GASNET_OK;
}

GASNETI_API char* gasnet_getenv(const char* name) { return job_getenv(name); }

GASNETI_API int gasnet_set_waitmode(int mode) {
  if (mode != GASNET_WAIT_SPIN && mode != GASNET_WAIT_BLOCK && mode != GASNET_WAIT_SPINBLOCK)
    return refuse({GASNET_ERR_BAD_ARG, "gasnet_set_waitmode"}, "there is no wait mode %d", mode);
  job().progress.set_spin_wait(mode != GASNET_WAIT_BLOCK);
  return GASNET_OK;
}

}  // extern "C"

}  // namespace upcr::gasnet
