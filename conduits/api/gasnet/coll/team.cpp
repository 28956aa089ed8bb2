// SPDX-License-Identifier: BSD-3-Clause
// Images, the team of all of them, and teams that are split off.
#include "conduits/api/gasnet/coll/team.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "conduits/api/gasnet/coll/algorithms.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/core/base/report/error.hpp"

namespace upcr::gasnet::coll {
namespace {

// The numbers of images: gasnet_coll_init()'s, or one a node when a collective comes before it. Made under
// the lock, then only read.
struct Images {
  SpinLock lock;
  std::atomic<bool> known{false};
  std::vector<gasnet_image_t> first;                   // of each node, and the number of all
  std::vector<std::unique_ptr<gasneti_team_s>> world;  // this node's images' memberships
  std::vector<gasnet_coll_fn_entry_t> functions;
};
Images& images() noexcept {
  static Images* const the_images = new Images;  // never destroyed: threads may outlive main
  return *the_images;
}

// The membership of a thread that is one of several images of the node.
thread_local gasneti_team_s* my_world = nullptr;

std::atomic<std::uint32_t> next_team{1};  // the next number of a team that an image of this node leads

void set_local_index(Member& m) {
  m.local_index = static_cast<std::uint32_t>(
      std::count(m.group->nodes.begin(), m.group->nodes.begin() + m.rank, gasneti_state.mynode));
}

void initialise(Images& all, std::vector<gasnet_image_t> first) {
  const auto group = std::make_shared<Group>();
  for (Rank node = 0; node < gasneti_state.nodes; ++node)
    for (gasnet_image_t i = first[node]; i < first[node + 1]; ++i) {
      group->nodes.push_back(node);
      group->images.push_back(i);
    }
  for (gasnet_image_t i = first[gasneti_state.mynode]; i < first[gasneti_state.mynode + 1]; ++i) {
    all.world.push_back(std::make_unique<gasneti_team_s>());
    all.world.back()->group = group;
    all.world.back()->rank = i;
    set_local_index(*all.world.back());
  }
  all.first = std::move(first);
  all.known.store(true, std::memory_order_release);
}

std::vector<gasnet_image_t> one_each() {
  std::vector<gasnet_image_t> first(gasneti_state.nodes + std::size_t{1});
  std::iota(first.begin(), first.end(), 0u);
  return first;
}

gasneti_team_s& world(const char* function) {
  Images& all = images();
  if (!all.known.load(std::memory_order_acquire)) {
    const std::lock_guard guard(all.lock);
    if (!all.known.load(std::memory_order_relaxed)) initialise(all, one_each());
  }
  if (all.world.size() == 1) return *all.world.front();
  if (my_world == nullptr)
    fatal(
        "%s: this thread is none of the %zu images of node %u; each of them calls gasnet_coll_init() with "
        "its number",
        function, all.world.size(), gasneti_state.mynode);
  return *my_world;
}

// A member's arguments when a team is split, for all others.
struct Choice {
  std::uint64_t team;  // the new team's number, if this member leads it
  gasnet_image_t color, key, image;
  Rank node;
};
static_assert(sizeof(Choice) == 24);

}  // namespace

Member::Member() = default;
Member::~Member() = default;

Member& member(const char* function, gasnet_team_handle_t team) {
  require_attached(function);
  check_free_thread(function);
  return team == GASNET_TEAM_ALL ? world(function) : *team;
}

void check_rank(const char* function, const Member& m, gasnet_image_t rank) {
  if (rank >= m.size())
    fatal("%s: image %u is out of range: this team has the images 0 to %u", function, rank, m.size() - 1);
}

void set_images(const char* function, const gasnet_image_t* counts, gasnet_image_t my_image) {
  Images& all = images();
  std::vector<gasnet_image_t> first = one_each();
  for (gasnet_node_t node = 0; counts != nullptr && node < gasneti_state.nodes; ++node) {
    if (counts[node] == 0) fatal("%s: node %u has no image; each node has one or more", function, node);
    if (counts[node] > 1 && client().threads != ThreadModel::kPar)
      fatal(
          "%s: %u images on node %u; images call at the same time, which is for clients compiled with "
          "GASNET_PAR only: compile with it, or have one image a node",
          function, counts[node], node);
    first[node + 1] = first[node] + counts[node];
  }
  {
    const std::lock_guard guard(all.lock);
    if (!all.known.load(std::memory_order_relaxed))
      initialise(all, first);
    else if (all.first != first)
      fatal("%s: the numbers of images are not those of an earlier call or collective", function);
  }
  if (counts == nullptr) return;
  const gasnet_image_t mine = first[gasneti_state.mynode], end = first[gasneti_state.mynode + 1];
  if (my_image < mine || my_image >= end)
    fatal("%s: my_image is %u on node %u, whose images are %u to %u", function, my_image,
          gasneti_state.mynode, mine, end - 1);
  my_world = all.world[my_image - mine].get();
}

void set_functions(const char* function, const gasnet_coll_fn_entry_t* table, std::size_t count) {
  if (count == 0) return;  // no table: this image makes no reductions
  if (table == nullptr) fatal("%s: fn_count is %zu, but fn_tbl is null", function, count);
  Images& all = images();
  const std::lock_guard guard(all.lock);
  if (!all.functions.empty() && all.functions.size() != count)
    fatal("%s: %zu functions, where another image of the node gave %zu", function, count,
          all.functions.size());
  if (all.functions.empty()) all.functions.assign(table, table + count);
}

const gasnet_coll_fn_entry_t& reduction(const char* function, gasnet_coll_fn_handle_t handle) {
  const Images& all = images();
  if (handle >= all.functions.size())
    fatal("%s: there is no function %u: gasnet_coll_init() was given %zu", function, handle,
          all.functions.size());
  if (all.functions[handle].fnptr == nullptr) fatal("%s: function %u is null", function, handle);
  return all.functions[handle];
}

extern "C" {

GASNETI_API gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t team, gasnet_image_t mycolor,
                                                        gasnet_image_t myrelrank) {
  constexpr const char* kName = "gasnet_coll_team_split";
  Member& parent = member(kName, team);
  const Choice mine{
      std::uint64_t{gasneti_state.mynode} << 32 | next_team.fetch_add(1, std::memory_order_relaxed), mycolor,
      myrelrank, parent.group->images[parent.rank], gasneti_state.mynode};
  std::vector<Choice> all(parent.size());
  Call call(parent, kName);
  call.start(gather_all(call, all.data(), &mine, sizeof mine));
  call.wait();

  std::erase_if(all, [&](const Choice& c) { return c.color != mycolor; });
  std::stable_sort(all.begin(), all.end(), [](const Choice& a, const Choice& b) { return a.key < b.key; });
  const auto group = std::make_shared<Group>();
  group->id = all.front().team;
  auto* const m = new gasneti_team_s;
  for (const Choice& c : all) {
    if (c.image == mine.image) m->rank = static_cast<TeamRank>(group->images.size());
    group->nodes.push_back(c.node);
    group->images.push_back(c.image);
  }
  m->group = group;
  set_local_index(*m);
  return m;
}

GASNETI_API void gasnet_coll_team_free(gasnet_team_handle_t team) {
  const Member& m = member("gasnet_coll_team_free", team);
  if (team == GASNET_TEAM_ALL) fatal("gasnet_coll_team_free: GASNET_TEAM_ALL stays");
  if (m.barrier != nullptr)
    fatal(
        "gasnet_coll_team_free between gasnet_coll_barrier_notify() and gasnet_coll_barrier_wait() of the "
        "team");
  delete team;
}

GASNETI_API gasnet_image_t gasnet_coll_team_size(gasnet_team_handle_t team) {
  return member("gasnet_coll_team_size", team).size();
}

GASNETI_API gasnet_image_t gasnet_coll_team_rank(gasnet_team_handle_t team) {
  return member("gasnet_coll_team_rank", team).rank;
}

}  // extern "C"

}  // namespace upcr::gasnet::coll
