// SPDX-License-Identifier: BSD-3-Clause
// Copies of lists whose entries may belong to any thread (special cases: local_lists.cpp, remote_lists.cpp).
// Both lists are traversed together and cut into pairs of pieces. Pairs that are mapped here are copied at
// once. Others are collected and sent process by process, so that packets are full even if consecutive
// entries belong to different threads.
#include <algorithm>
#include <cstring>
#include <vector>

#include "upcr/access/data.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/vis/vis.hpp"

namespace upcr {
namespace {

constexpr std::size_t kMaxCollected = 4096;  // the most pairs that are collected before they are sent
constexpr const char* kReason = "a non-contiguous copy between two UPC threads";

// Collects pairs of a piece in another process and one here.
class Collector {
 public:
  enum class Direction : bool { kPut, kGet };
  Collector(Direction direction, Pending& done) : direction_(direction), done_(done) {}

  void add(Rank rank, std::uint64_t there, std::uint64_t here, std::size_t bytes) {
    if (!pairs_.empty()) {
      Pair& last = pairs_.back();
      if (last.rank == rank && last.there + last.bytes == there && last.here + last.bytes == here) {
        last.bytes += bytes;
        return;
      }
      several_ = several_ || last.rank != rank;
      if (pairs_.size() == kMaxCollected) flush();
    }
    pairs_.push_back({there, here, bytes, rank});
  }

  void flush() {
    if (several_)
      std::stable_sort(pairs_.begin(), pairs_.end(),
                       [](const Pair& a, const Pair& b) { return a.rank < b.rank; });
    several_ = false;
    for (std::size_t i = 0, end; i < pairs_.size(); i = end) {
      for (end = i + 1; end < pairs_.size() && pairs_[end].rank == pairs_[i].rank;) ++end;
      send(i, end);
    }
    pairs_.clear();
  }

 private:
  struct Pair {
    std::uint64_t there, here;
    std::size_t bytes;
    Rank rank;
  };

  // Sends pairs i to end, of one process: as a list of addresses if their lengths are equal, which is
  // shorter.
  void send(std::size_t i, std::size_t end) {
    const Rank rank = pairs_[i].rank;
    const std::size_t n = end - i, bytes = pairs_[i].bytes;
    const bool equal = std::all_of(pairs_.begin() + static_cast<std::ptrdiff_t>(i),
                                   pairs_.begin() + static_cast<std::ptrdiff_t>(end),
                                   [&](const Pair& p) { return p.bytes == bytes; });
    if (equal) {
      addresses_.resize(2 * n);
      for (std::size_t k = 0; k < n; ++k) {
        addresses_[k] = pairs_[i + k].there;
        addresses_[n + k] = pairs_[i + k].here;
      }
      start(rank, VisSide::indexed(addresses_.data(), n, bytes),
            VisSide::indexed(addresses_.data() + n, n, bytes));
    } else {
      regions_.resize(2 * n);
      for (std::size_t k = 0; k < n; ++k) {
        regions_[k] = {pairs_[i + k].there, pairs_[i + k].bytes};
        regions_[n + k] = {pairs_[i + k].here, pairs_[i + k].bytes};
      }
      start(rank, VisSide::vector(regions_.data(), n), VisSide::vector(regions_.data() + n, n));
    }
  }
  void start(Rank rank, const VisSide& there, const VisSide& here) {
    if (direction_ == Direction::kPut)
      job().vis.put(rank, there, here, done_, &done_);
    else
      job().vis.get(rank, here, there, done_);
  }

  const Direction direction_;
  Pending& done_;
  std::vector<Pair> pairs_;
  bool several_ = false;  // the pairs are of more than one process
  std::vector<std::uint64_t> addresses_;
  std::vector<VisRegion> regions_;
};

// Copies pairs of which neither piece is here through the bounce buffers: one is filled while the other one
// is written to its destination.
class BounceCopy {
 public:
  BounceCopy() : in_(Collector::Direction::kGet, arriving_) {}

  void add(const VisLocation& to, const VisLocation& from, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes;) {
      if (used_ == kVisBounceBytes) flush_buffer();
      const std::size_t n = std::min(bytes - at, kVisBounceBytes - used_);
      const auto here = reinterpret_cast<std::uint64_t>(half() + used_);
      in_.add(from.rank, from.address + at, here, n);
      leaving_.push_back({to.address + at, here, n, to.rank});
      used_ += n;
      at += n;
    }
  }
  void finish() {
    if (used_ != 0) flush_buffer();
    for (const Pending& p : out_) wait_for(p, kReason);
  }

 private:
  struct Leaving {
    std::uint64_t there, here;
    std::size_t bytes;
    Rank rank;
  };
  char* half() { return vis_bounce_buffers() + turn_ * kVisBounceBytes; }
  void flush_buffer() {
    in_.flush();
    wait_for(arriving_, kReason);
    Collector out(Collector::Direction::kPut, out_[turn_]);
    for (const Leaving& l : leaving_) out.add(l.rank, l.there, l.here, l.bytes);
    out.flush();
    leaving_.clear();
    used_ = 0;
    turn_ ^= 1;
    wait_for(out_[turn_], kReason);
  }

  Pending arriving_, out_[2];
  Collector in_;
  std::vector<Leaving> leaving_;
  std::size_t used_ = 0;
  unsigned turn_ = 0;
};

// A cursor over the pieces of a list.
class ListCursor {
 public:
  explicit ListCursor(const VisList& list) : list_(list) { load(); }
  std::size_t left() const { return left_; }  // bytes of this piece; 0: the end of the list
  VisLocation locate() const { return {address_, rank_, here_}; }
  std::uint64_t address() const { return address_; }
  bool here() const { return here_; }
  void advance(std::size_t bytes) {
    address_ += bytes;
    if ((left_ -= bytes) == 0) load();
  }

 private:
  void load() {
    while (next_ < list_.count) {
      const std::size_t i = next_++;
      left_ = list_.bytes(i);
      if (left_ == 0) continue;
      const VisLocation p = list_.locate(i);
      address_ = p.address;
      rank_ = p.rank;
      here_ = p.here;
      return;
    }
  }
  const VisList list_;
  std::size_t next_ = 0, left_ = 0;
  // Three members instead of a VisLocation: storing a whole one and loading its parts costs more than all the
  // rest.
  std::uint64_t address_ = 0;
  Rank rank_ = 0;
  bool here_ = true;
};

}  // namespace

void vis_copy_lists(const VisList& to, const VisList& from, Pending& done, VisLists lists) {
  if (vis_copy_lists_local(to, from) || vis_copy_lists_remote(to, from, done, lists)) return;
  Collector puts(Collector::Direction::kPut, done), gets(Collector::Direction::kGet, done);
  BounceCopy bounce;
  ListCursor t(to), f(from);
  while (const std::size_t n = std::min(t.left(), f.left())) {
    if (t.here() && f.here())
      std::memcpy(reinterpret_cast<void*>(t.address()), reinterpret_cast<const void*>(f.address()), n);
    else if (f.here())
      puts.add(t.locate().rank, t.address(), f.address(), n);
    else if (t.here())
      gets.add(f.locate().rank, f.address(), t.address(), n);
    else
      bounce.add(t.locate(), f.locate(), n);
    t.advance(n);
    f.advance(n);
  }
  puts.flush();
  gets.flush();
  bounce.finish();
}

}  // namespace upcr
