// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gasnet/gasnet_thread_team.hpp"

namespace perf {

void Node::barrier() {
  const std::uint64_t before = passed_.load(std::memory_order_relaxed);  // the next one needs this thread too
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
    passed_.store(before + 1, std::memory_order_release);
  } else {
    GASNET_BLOCKUNTIL(passed_.load(std::memory_order_acquire) != before);
  }
}

GasnetThreadTeam::GasnetThreadTeam(Node& node, unsigned thread_of_node)
    : ThreadTeam(gasnet_mynode() * node.threads() + thread_of_node, gasnet_nodes() * node.threads(),
                 gasnet_mynode(), gasnet_nodes()),
      node_(node) {
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  for (const gasnet_seginfo_t& s : segments) segments_.push_back(static_cast<char*>(s.addr));
  std::vector<gasnet_nodeinfo_t> nodes(gasnet_nodes());
  gasnet_getNodeInfo(nodes.data(), static_cast<int>(nodes.size()));
  const gasnet_nodeinfo_t& here = nodes[gasnet_mynode()];
  meet(here.host == nodes[0].host);
  const gasnet_nodeinfo_t& there = nodes[node_of(partner())];
  if (there.supernode == here.supernode) target_here_ = block_of(partner()) + there.offset;
}

}  // namespace perf
