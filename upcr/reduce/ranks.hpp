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

  // The vector of rank 0 becomes v[0] @ v[1] @ ... The vectors of the others are overwritten. `spare`: memory
  // for a vector. `radix` >= 2, of the tree.
  void reduce(const ReduceOp& op, const Shape& shape, void* vector, void* spare, Slot radix);
  // Allreduce of one entry by recursive doubling.
  void all_reduce(const ReduceOp& op, void* entry, void* spare);
  // *before = v[0] @ ... @ v[me - 1] on all but rank 0, where it is unchanged; `vector` becomes *before @
  // v[me].
  void scan(const ReduceOp& op, const Shape& shape, void* vector, void* before, void* spare);
  // From `root` to all.
  void broadcast(Slot root, void* data, std::size_t bytes, Slot radix);
  // All-gather by Bruck's algorithm: piece i of `data` is that of rank i; each rank has stored its own.
  void all_gather(void* data, std::size_t bytes);
  // Pairwise exchange: out(rank) returns the data to send to a rank, in(rank) the memory to receive into.
  // received(rank) is called when that data has arrived.
  template <typename Out, typename In, typename Received>
  void exchange(Out&& out, In&& in, Received&& received);
  // One message from rank `from` to rank `to`.
  void pass(Slot from, const void* src, Slot to, void* dst, std::size_t bytes);
  // Each rank sends to one and receives from one, perhaps itself.
  void shift(Slot to, const void* src, Slot from, void* dst, std::size_t bytes);
  // Scatter: piece i of root's array to rank i. Gather: the reverse.
  void scatter(Slot root, const void* array, void* piece, std::size_t bytes);
  void gather(Slot root, const void* piece, void* array, std::size_t bytes);

  struct Piece {
    const void* data;
    std::size_t bytes;
  };
  struct Destination {
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

template <typename Out, typename In, typename Received>
void Ranks::exchange(Out&& out, In&& in, Received&& received) {
  for (Slot step = 0; step < count_; ++step) {
    const Slot to = static_cast<Slot>((std::uint64_t{me_} + step) % count_);
    const Slot from = static_cast<Slot>((std::uint64_t{me_} + count_ - step) % count_);
    const Piece piece = out(to);
    const Destination destination = in(from);
    if (step == 0) {
      if (destination.bytes != 0) std::memcpy(destination.data, piece.data, destination.bytes);
    } else {
      sendrecv(to, piece.data, piece.bytes, from, destination.data, destination.bytes);
    }
    received(from);
  }
  ++tag_;
}

}  // namespace upcr::coll
