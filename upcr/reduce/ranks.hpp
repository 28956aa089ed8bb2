// SPDX-License-Identifier: BSD-3-Clause
// The threads that take part in a step, numbered in the order of the operands, and the algorithms over them:
// k-nomial trees, recursive doubling, scans. Operands are vectors that are combined entry by entry. Called by
// UPC threads inside a collective call, all in the same order.
//
// Source of the algorithms: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations
// in MPICH (IJHPCA 2005); of scan(): Hillis, Steele: Data Parallel Algorithms (CACM 1986).
#pragma once
#include <cstring>
#include <memory>

#include "upcr/coll/call/call.hpp"
#include "upcr/reduce/reduce_op.hpp"

namespace upcr::coll {

// Private memory, aligned for every type. Not cleared.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) : memory_(std::make_unique_for_overwrite<char[]>(bytes)) {}
  char* get() const { return memory_.get(); }

 private:
  std::unique_ptr<char[]> memory_;
};

// The length of the vectors: `entries`, and one less from rank `full` on.
struct Shape {
  Slot full;
  std::size_t entries;
  std::size_t of(Slot rank) const { return rank < full ? entries : entries - 1; }
};

class Ranks {
 public:
  // `count` members of the call's team; rank 0 is member `first`, and the numbers wrap around. Messages have
  // tags from `tag` on, a different one for each step below.
  Ranks(Call& call, Slot first, Slot count, unsigned tag)
      : call_(call), first_(first), count_(count), tag_(tag), size_(call.team().size) {
    const Slot me = call.team().me;
    me_ = me >= first ? me - first : me + size_ - first;
  }
  Slot me() const { return me_; }
  Slot count() const { return count_; }
  bool participates() const { return me_ < count_; }
  // The first `count` ranks, for the next step. All ranks call it.
  Ranks first(Slot count) {
    Ranks some = *this;
    some.count_ = count;
    tag_ += kTagsOfStep;
    return some;
  }

  // The same ranks, numbered from that one on. The old object must not be used afterwards.
  Ranks starting_at(Slot rank) const { return Ranks(call_, member(rank), count_, tag_); }

  // Each of the following is a step that all ranks take together.

  // To rank 0: its vector becomes v[0] @ v[1] @ ... The others' is used up. `spare`: room for a vector.
  // `radix` >= 2: that many meet at a node of the tree.
  void reduce_to_first(const ReduceOp& op, const Shape& shape, void* vector, void* spare, Slot radix);
  // The same result on every rank, which have one entry each.
  void all_reduce(const ReduceOp& op, void* entry, void* spare);
  // *before = v[0] @ ... @ v[me - 1] on all but rank 0, where it is unchanged; `vector` becomes *before @
  // v[me].
  void scan(const ReduceOp& op, const Shape& shape, void* vector, void* before, void* spare);
  // From `root` to all.
  void broadcast(Slot root, void* data, std::size_t bytes, Slot radix);
  // All-gather by Bruck's algorithm: piece i of `data` is that of rank i; each rank has stored its own.
  void all_gather(void* data, std::size_t bytes);
  // Each with each: out(rank) gives what to send there, in(rank) where to put what comes, and how many bytes.
  // placed(rank) is called when that has come.
  template <typename Out, typename In, typename Placed>
  void exchange(Out&& out, In&& in, Placed&& placed);
  // One message from rank to rank.
  void pass(Slot from, const void* src, Slot to, void* dst, std::size_t bytes);
  // Each rank sends to one and receives from one, perhaps itself.
  void shift(Slot to, const void* src, Slot from, void* dst, std::size_t bytes);
  // Piece i of root's array to rank i; from rank i to there.
  void deal(Slot root, const void* array, void* piece, std::size_t bytes);
  void collect(Slot root, const void* piece, void* array, std::size_t bytes);

  struct Piece {
    const void* data;
    std::size_t bytes;
  };
  struct Place {
    void* data;
    std::size_t bytes;
  };

 private:
  static constexpr unsigned kTagsOfStep = 64;  // the most that a step uses: log2 of ranks and some

  TeamRank member(Slot rank) const {
    const std::uint64_t m = std::uint64_t{first_} + rank;
    return static_cast<TeamRank>(m < size_ ? m : m - size_);
  }
  void send(Slot to, const void* src, std::size_t bytes) {
    if (bytes != 0) call_.send(member(to), tag_, src, bytes);
  }
  void recv(Slot from, void* dst, std::size_t bytes) {
    if (bytes != 0) call_.recv(member(from), tag_, dst, bytes);
  }
  // A half with 0 bytes is left out.
  void sendrecv(Slot to, const void* src, std::size_t src_bytes, Slot from, void* dst,
                std::size_t dst_bytes) {
    if (src_bytes == 0)
      recv(from, dst, dst_bytes);
    else if (dst_bytes == 0)
      send(to, src, src_bytes);
    else
      call_.sendrecv(member(to), src, src_bytes, member(from), dst, dst_bytes, tag_);
  }

  Call& call_;
  Slot first_, count_, me_;
  unsigned tag_;
  Slot size_;
};

template <typename Out, typename In, typename Placed>
void Ranks::exchange(Out&& out, In&& in, Placed&& placed) {
  for (Slot step = 0; step < count_; ++step) {
    const Slot to = static_cast<Slot>((std::uint64_t{me_} + step) % count_);
    const Slot from = static_cast<Slot>((std::uint64_t{me_} + count_ - step) % count_);
    const Piece piece = out(to);
    const Place place = in(from);
    if (step == 0) {
      if (place.bytes != 0) std::memcpy(place.data, piece.data, place.bytes);
    } else {
      sendrecv(to, piece.data, piece.bytes, from, place.data, place.bytes);
    }
    placed(from);
  }
  ++tag_;
}

}  // namespace upcr::coll
