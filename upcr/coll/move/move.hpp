// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data, as tasks over any team. One file each: broadcast.cpp, scatter_gather.cpp,
// gather_all.cpp, exchange.cpp. On the calling UPC thread.
#pragma once
#include "upcr/access/data.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/coll/call/tuning.hpp"
#include "upcr/pointer/pointer.hpp"

namespace upcr::coll {

// One call, and the addresses of its data. Data that is on each member starts at the same offset.
struct Move {
  Call& call;
  SharedAddr dst, src;
  std::size_t n;      // bytes of a block
  TeamRank root = 0;  // the member with src (broadcast, scatter) or dst (gather)
  TeamRank me = call.team().me, size = call.team().size;

  SharedAddr src_at(TeamRank member, std::uint64_t block = 0) const noexcept {
    return {call.team().thread_of(member), src.offset + block * n};
  }
  SharedAddr dst_at(TeamRank member, std::uint64_t block = 0) const noexcept {
    return {call.team().thread_of(member), dst.offset + block * n};
  }
  char* my_src(std::uint64_t block = 0) const noexcept {
    return static_cast<char*>(mapped(src_at(me, block)));
  }
  char* my_dst(std::uint64_t block = 0) const noexcept {
    return static_cast<char*>(mapped(dst_at(me, block)));
  }
  // All other members access data of this one.
  void expect_access_by_all() const;
};

Task broadcast(Move m, Algorithm algorithm);
Task scatter(Move m, Algorithm algorithm);
Task gather(Move m, Algorithm algorithm);
Task gather_all(Move m, Algorithm algorithm);
Task exchange(Move m, Algorithm algorithm);
Task permute(Move m, int target);

// A whole call: enters, moves the data with the algorithm of the team's table, leaves.
Task run_collective(Move m, Collective what);

// The same as a flag collective, for a blocking call of all threads that share memory, unless the user chose
// an algorithm. False: nothing was done.
bool move_by_flags(const Move& m, Collective what);

// Gets and puts of a task: start them, then co_await this object.
class Transfers {
 public:
  explicit Transfers(Call& call) : call_(call) {}
  void get(void* dst, SharedAddr from, std::size_t bytes) { get_bytes_nb(dst, from, bytes, pending_); }
  void put(SharedAddr to, const void* src, std::size_t bytes) {
    put_bytes_nb(to, src, bytes, pending_, &pending_);
  }
  bool await_ready() const noexcept { return pending_.done(); }
  void await_suspend(std::coroutine_handle<> h) {
    call_.suspend({h, call_.team().me, &pending_,
                   [](void* self) { return static_cast<Transfers*>(self)->pending_.done(); }, this});
  }
  void await_resume() noexcept {}

 private:
  Call& call_;
  Pending pending_;
};

}  // namespace upcr::coll
