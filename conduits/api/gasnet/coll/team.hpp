// SPDX-License-Identifier: BSD-3-Clause
// Teams of images. An image takes part in collectives: it is a node, or one of several threads of a node
// (gasnet_coll_init). A handle is one image's membership in a team; ranks number the members.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/model/topology.hpp"
#include "include/gasnet/coll.h"

namespace upcr::gasnet::coll {

class Call;
using TeamRank = std::uint32_t;

// The same for all its members.
struct Group {
  std::uint64_t id = 0;                // 0: GASNET_TEAM_ALL
  std::vector<Rank> nodes;             // by rank
  std::vector<gasnet_image_t> images;  // by rank
};

// One image's membership. Used by the image's thread; by one thread at a time where a node is one image.
struct Member {
  Member();
  ~Member();
  std::shared_ptr<const Group> group;
  TeamRank rank = 0;
  std::uint32_t local_index = 0;    // among the members on this node, in the order of ranks
  std::uint32_t next_sequence = 0;  // of collectives
  std::unique_ptr<Call> barrier;    // between notify and wait

  TeamRank size() const noexcept { return static_cast<TeamRank>(group->nodes.size()); }
  Rank node(TeamRank r) const noexcept { return group->nodes[r]; }
};

// The calling image's membership that the handle stands for. Fatal: not an image, or no collective is
// possible.
Member& member(const char* function, gasnet_team_handle_t team);

// Fatal when it is not the rank of a member.
void check_rank(const char* function, const Member& m, gasnet_image_t rank);

// For gasnet_coll_init(): how many images each node has (null: one), and which of them the caller is.
void set_images(const char* function, const gasnet_image_t* images, gasnet_image_t my_image);
void set_functions(const char* function, const gasnet_coll_fn_entry_t* table, std::size_t count);
const gasnet_coll_fn_entry_t& reduction(const char* function, gasnet_coll_fn_handle_t handle);

}  // namespace upcr::gasnet::coll

// The type that the C API names.
struct gasneti_team_s : upcr::gasnet::coll::Member {};
