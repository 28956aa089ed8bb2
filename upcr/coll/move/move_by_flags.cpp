// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data as flag collectives. See flag_collectives.hpp.
//
// All five have one structure: some members send a block each to some others. They differ in the pairs of
// sender and receiver, and in the indexes of the blocks (Pattern). There are three methods, and all threads
// choose the same one (choose_method):
//
// Slots, for small blocks that their owner may access at once (IN_MYSYNC): each sender copies its blocks into
// its slot, each receiver copies them from there. No member accesses data of others, so each waits only for
// its data.
//
// Push, for small blocks with IN_ALLSYNC: when all have entered each stores into the targets. The flag that
// it is done also ends the call with OUT_ALLSYNC: two steps, where the other methods need three. Push is also
// used for gathers of any size: all threads copy then, not the root alone.
//
// Pull: each receiver copies from the sources. Always used with IN_NOSYNC, where no member may wait for a
// late sender. While the others copy large blocks from a root, the root copies the last pieces for them (not
// with IN_NOSYNC: it may not access the target of a thread that has not entered).
#include <algorithm>
#include <cstring>

#include "upcr/coll/call/flag_collectives.hpp"
#include "upcr/coll/move/move.hpp"

namespace upcr::coll {
namespace {

constexpr std::size_t kSlotsPay = 256;
constexpr std::size_t kPiece = 64 << 10, kHelpPays = 2 * kPiece;

// A large block in pieces.
struct Pieces {
  explicit Pieces(std::size_t block_bytes)
      : bytes(block_bytes),
        each(std::max(kPiece, round_up(bytes / SharedWork::kMaxPieces + 1, kCacheLine))),
        count(static_cast<SharedWork::Count>((bytes + each - 1) / each)) {}
  std::size_t at(SharedWork::Count i) const { return i * each; }
  std::size_t size(SharedWork::Count i) const { return std::min(each, bytes - at(i)); }
  const std::size_t bytes, each;
  const SharedWork::Count count;
};

class Pattern {
 public:
  Pattern(const Move& m, Collective what)
      : m_(m),
        from_root_(what == Collective::kBroadcast || what == Collective::kScatter),
        to_root_(what == Collective::kGather),
        each_its_own_(what == Collective::kScatter || what == Collective::kExchange),
        side_by_side_(what != Collective::kBroadcast && what != Collective::kScatter) {}

  bool sends(TeamRank from, TeamRank to) const {
    return (!from_root_ || from == m_.root) && (!to_root_ || to == m_.root);
  }
  bool rooted() const { return from_root_ || to_root_; }
  bool gathers() const { return to_root_; }
  // The number of blocks that a sender has for others, if it has any.
  std::size_t blocks() const { return each_its_own_ && m_.size > 1 ? m_.size - 1 : 1; }
  // The index of the block for `to` at the source, and in a slot, which has no block for the sender itself.
  std::size_t block_for(TeamRank to) const { return each_its_own_ ? to : 0; }
  std::size_t slot_block(TeamRank from, TeamRank to) const {
    return each_its_own_ ? to - static_cast<TeamRank>(to > from) : 0;
  }
  // The index of the block from `from` at the target.
  std::size_t block_of(TeamRank from) const { return side_by_side_ ? from : 0; }

  void copy(TeamRank from, TeamRank to) const { copy(from, to, 0, m_.n); }
  void copy(TeamRank from, TeamRank to, std::size_t at, std::size_t bytes) const {
    std::memcpy(static_cast<char*>(mapped(m_.dst_at(to, block_of(from)))) + at,
                static_cast<const char*>(mapped(m_.src_at(from, block_for(to)))) + at, bytes);
  }
  // Copies this member's blocks for others, one after the other.
  void pack(char* to) const {
    if (!each_its_own_) {
      std::memcpy(to, m_.my_src(), m_.n);
      return;
    }
    std::memcpy(to, m_.my_src(), m_.me * m_.n);
    std::memcpy(to + m_.me * m_.n, m_.my_src(m_.me + 1), (m_.size - 1 - m_.me) * m_.n);
  }
  // Copies the block that this member sends to itself, if any.
  void copy_own() const {
    if (sends(m_.me, m_.me)) copy(m_.me, m_.me);
  }

 private:
  const Move& m_;
  bool from_root_, to_root_, each_its_own_, side_by_side_;
};

void by_slots(const Move& m, const Pattern& pattern, FlagCollective& line) {
  const TeamRank me = m.me;
  bool any = false;
  line.others([&](TeamRank to) { any |= pattern.sends(me, to); });
  const std::size_t bytes = pattern.blocks() * m.n;
  if (any) {
    pattern.pack(line.send_buffer(bytes));
    line.publish(bytes);
  }
  pattern.copy_own();
  line.others([&](TeamRank from) {
    if (!pattern.sends(from, me)) return;
    const char* const blocks = line.receive(from, bytes);
    std::memcpy(m.my_dst(pattern.block_of(from)), blocks + pattern.slot_block(from, me) * m.n, m.n);
  });
  line.finish();
}

// A pull from a root that copies a part for the others.
void pull_with_root(const Move& m, const Pattern& pattern, FlagCollective& line) {
  const Pieces pieces(m.n);
  const auto copy = [&](TeamRank to, SharedWork::Count i) {
    pattern.copy(m.root, to, pieces.at(i), pieces.size(i));
  };
  if (m.me != m.root) {
    line.wait_entered(m.root);
    line.work_with(m.root, pieces.count, [&](SharedWork::Count i) { copy(m.me, i); });
    return;
  }
  // The root's own block from the end: the others read the beginning of the same memory now.
  for (SharedWork::Count i = pieces.count; i-- != 0;) copy(m.me, i);
  line.others(
      [&](TeamRank other) { line.help(other, pieces.count, [&](SharedWork::Count i) { copy(other, i); }); });
}

// Direct copies: with `push` by the source's thread, else by the target's. The IN and OUT flags decide which
// thread waits for which.
void direct(const Move& m, const Pattern& pattern, FlagCollective& line, bool push) {
  const TeamRank me = m.me;
  const int in = m.call.in(), out = m.call.out();
  const auto mine = [&](TeamRank other) {
    return push ? pattern.sends(me, other) : pattern.sends(other, me);
  };
  const auto its = [&](TeamRank other) { return push ? pattern.sends(other, me) : pattern.sends(me, other); };
  const bool root_helps = pattern.rooted() && !push && in != kInNoSync && m.n >= kHelpPays;
  if (root_helps) line.offer_work();
  if (in != kInNoSync) line.announce();
  if (in == kInAllSync) line.others([&](TeamRank other) { line.wait_entered(other); });
  if (root_helps) {
    pull_with_root(m, pattern, line);
  } else {
    if (!push) pattern.copy_own();
    line.others([&](TeamRank other) {
      if (!mine(other)) return;
      if (in == kInMySync) line.wait_entered(other);
      push ? pattern.copy(me, other) : pattern.copy(other, me);
    });
    if (push) pattern.copy_own();
  }
  line.finish();
  if (out == kOutMySync)
    line.others([&](TeamRank other) {
      if (its(other)) line.wait_finished(other);
    });
}

enum class Method { kSlots, kPush, kPull };

Method choose_method(const Move& m, const Pattern& pattern) {
  const int in = m.call.in();
  const bool small = in != kInNoSync && m.n <= FlagLines::kSlotBytes / pattern.blocks();
  // With slots the root of a gather waits for all data, so not with OUT_NOSYNC. Two threads that exchange
  // blocks wait for each other in any case, so a copy without a slot is faster from kSlotsPay on.
  const bool slots_pay =
      pattern.rooted() ? !pattern.gathers() || m.call.out() != kOutNoSync : m.size > 2 || m.n <= kSlotsPay;
  if (small && slots_pay && in == kInMySync) return Method::kSlots;
  return small || pattern.gathers() ? Method::kPush : Method::kPull;
}

}  // namespace

bool move_by_flags(const Move& m, Collective what) {
  if (m.call.team().tuning.algorithm[static_cast<std::size_t>(what)] != Algorithm::kAuto ||
      !FlagCollective::serves(m.call))
    return false;
  const Pattern pattern(m, what);
  FlagCollective line(m.call);
  switch (choose_method(m, pattern)) {
    case Method::kSlots:
      by_slots(m, pattern, line);
      break;
    case Method::kPush:
      direct(m, pattern, line, true);
      break;
    case Method::kPull:
      direct(m, pattern, line, false);
      break;
  }
  if (m.call.out() == kOutAllSync) line.others([&](TeamRank other) { line.wait_finished(other); });
  return true;
}

}  // namespace upcr::coll
