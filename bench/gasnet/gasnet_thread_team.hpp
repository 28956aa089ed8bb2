// SPDX-License-Identifier: BSD-3-Clause
// The thread team of gasnet_perf: as many client threads in each node as the command line says, the same
// number in all nodes. Thread t belongs to node t / (threads of a node).
#pragma once
#include <gasnet.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "bench/perf/measure/thread_team.hpp"

namespace perf {

// State that the threads of this node share. Outlives their teams.
class Node {
 public:
  // After gasnet_attach(); every node has a segment of segment_bytes(threads).
  explicit Node(unsigned threads) : threads_(threads) {}
  static std::uintptr_t segment_bytes(unsigned threads) { return threads * ThreadTeam::kBlockBytes; }

  unsigned threads() const { return threads_; }
  // Of all threads of all nodes: the last thread of a node to arrive enters gasnet_barrier, and the others
  // poll meanwhile.
  void barrier();

 private:
  const unsigned threads_;
  std::atomic<unsigned> arrived_{0};
  std::atomic<std::uint64_t> passed_{0};
};

class GasnetThreadTeam final : public ThreadTeam {
 public:
  GasnetThreadTeam(Node& node, unsigned thread_of_node);

  // Not collective.
  gasnet_node_t node_of(Thread thread) const { return static_cast<gasnet_node_t>(thread / node_.threads()); }
  unsigned threads_of_node() const { return node_.threads(); }
  // A thread's block: its address in its own node.
  char* block_of(Thread thread) const {
    return segments_[node_of(thread)] + thread % node_.threads() * kBlockBytes;
  }
  std::uint64_t* target_here() const override { return reinterpret_cast<std::uint64_t*>(target_here_); }
  char* mine_here() const override { return block_of(me()); }

  void barrier() const override { node_.barrier(); }

 private:
  std::uint64_t word_of(Thread thread) const override {
    return gasnet_get_val(node_of(thread), block_of(thread) + kWord, sizeof(std::uint64_t));
  }
  void set_word(Thread thread, std::uint64_t value) const override {
    gasnet_put_val(node_of(thread), block_of(thread) + kWord, value, sizeof value);
  }

  Node& node_;
  std::vector<char*> segments_;  // of each node, its own address
  char* target_here_ = nullptr;
};

inline void Node::barrier() {
  const std::uint64_t before =
      passed_.load(std::memory_order_relaxed);  // read before arriving: the next barrier cannot complete
                                                // without this thread
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
    passed_.store(before + 1, std::memory_order_release);
  } else {
    GASNET_BLOCKUNTIL(passed_.load(std::memory_order_acquire) != before);
  }
}

inline GasnetThreadTeam::GasnetThreadTeam(Node& node, unsigned thread_of_node)
    : ThreadTeam(gasnet_mynode() * node.threads() + thread_of_node, gasnet_nodes() * node.threads(),
                 gasnet_mynode(), gasnet_nodes()),
      node_(node) {
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  for (const gasnet_seginfo_t& s : segments) segments_.push_back(static_cast<char*>(s.addr));
  std::vector<gasnet_nodeinfo_t> nodes(gasnet_nodes());
  gasnet_getNodeInfo(nodes.data(), static_cast<int>(nodes.size()));
  const gasnet_nodeinfo_t& here = nodes[gasnet_mynode()];
  find_partner(here.host == nodes[0].host);
  const gasnet_nodeinfo_t& there = nodes[node_of(partner())];
  if (there.supernode == here.supernode) target_here_ = block_of(partner()) + there.offset;
}

}  // namespace perf
