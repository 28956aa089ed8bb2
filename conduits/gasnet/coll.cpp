// SPDX-License-Identifier: BSD-3-Clause
// gasnet_coll_broadcast: a barrier, the root's data in Medium messages to where each node waits for it, a
// barrier. One thread a node; the handler runs on any thread that polls.
#include "conduits/gasnet/coll.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/am_args.hpp"
#include "conduits/core/progress.hpp"
#include "conduits/gasnet/barrier.hpp"
#include "conduits/gasnet/client.hpp"
#include "conduits/gasnet/thread.hpp"
#include "include/gasnet/coll.h"

namespace upcr::gasnet {
namespace {

// Where this node's data goes: set before the first barrier, which lets the root send.
struct Landing {
  char* dst = nullptr;
  std::size_t bytes = 0;
  Pending missing;  // counted in bytes' place: messages
} landing;

// Arguments: offset in the data, low and high half.
void on_piece(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
              void*) {
  const std::uint64_t offset = nargs == 2 ? args[0] | std::uint64_t{args[1]} << 32 : UINT64_MAX;
  if (landing.dst == nullptr || offset > landing.bytes || bytes > landing.bytes - offset)
    fatal(
        "node %u broadcasts %zu bytes at offset %llu where this node expects %zu: do all nodes pass the same "
        "nbytes?",
        token.source, bytes, static_cast<unsigned long long>(offset), landing.bytes);
  std::memcpy(landing.dst + offset, data, bytes);
  landing.missing.complete();
}

std::size_t pieces(std::size_t bytes, std::size_t piece) { return (bytes + piece - 1) / piece; }

void send_to(AmEngine& engine, Rank to, const char* data, std::size_t bytes, std::size_t piece) {
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::uint32_t args[] = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32)};
    engine.request(
        to, internal_message(InternalHandler::kBroadcast, args, data + at, std::min(piece, bytes - at)));
  }
}

}  // namespace

void attach_broadcast(AmEngine& engine) {
  engine.set_internal(InternalHandler::kBroadcast, on_piece, nullptr);
}

}  // namespace upcr::gasnet

using namespace upcr;
using namespace upcr::gasnet;

extern "C" {

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t*, size_t,
                      int) {
  require_attached("gasnet_coll_init");
  check_free_thread("gasnet_coll_init");
  for (gasnet_node_t i = 0; images != nullptr && i < gasneti_state.nodes; ++i)
    if (images[i] != 1)
      fatal("gasnet_coll_init: %u images on node %u; there is one a node, whose number is the node's",
            images[i], i);
  if (images != nullptr && my_image != gasneti_state.mynode)
    fatal("gasnet_coll_init: my_image is %u on node %u; an image's number is its node's", my_image,
          gasneti_state.mynode);
  internal_barrier();
}

void gasnet_coll_broadcast(gasnet_team_handle_t team, void* dst, gasnet_image_t srcimage, void* src,
                           size_t nbytes, int) {
  constexpr const char* kName = "gasnet_coll_broadcast";
  require_attached(kName);
  check_free_thread(kName);
  if (team != GASNET_TEAM_ALL) fatal("%s: the only team is GASNET_TEAM_ALL", kName);
  const gasnet_node_t me = gasneti_state.mynode, nodes = gasneti_state.nodes;
  if (srcimage >= nodes)
    fatal("%s: image %u is out of range: there are the images 0 to %u", kName, srcimage, nodes - 1);
  AmEngine& engine = *job().engine;
  const std::size_t piece = engine.max_medium();
  if (me != srcimage) {
    landing.dst = static_cast<char*>(dst);
    landing.bytes = nbytes;
    landing.missing.add(static_cast<std::uint32_t>(pieces(nbytes, piece)));
  }
  internal_barrier();
  if (me == srcimage) {
    for (gasnet_node_t i = 1; i < nodes; ++i)
      send_to(engine, (me + i) % nodes, static_cast<const char*>(src), nbytes, piece);
    if (dst != src && nbytes > 0) std::memmove(dst, src, nbytes);
  } else {
    wait_until(my_slot(), {"a broadcast of node", srcimage}, [] { return landing.missing.done(); });
  }
  internal_barrier();
  landing.dst = nullptr;
}

}  // extern "C"
