// SPDX-License-Identifier: BSD-3-Clause
// Copies between two lists of pieces that are mapped in this process, in one pass that checks lengths,
// computes addresses and copies the bytes. Runs of pieces of one length go through loops made for that length
// (element.hpp): piece by piece where both lists have the same pieces, or many pieces to or from one. Any
// thread, handlers too. The destination's pieces overlap neither each other nor the source.
//
// A kind of list is a small class that is passed by value:
//   List from(std::size_t i)           the list that begins at piece i
//   std::size_t bytes(std::size_t i)   the length of piece i
//   char* find(std::size_t i)          its address; null: not mapped here
//   bool find_four(char** here)        the addresses of the first four; false: one is not mapped here
//   kAlwaysHere                        find() is never null
#pragma once
#include <algorithm>

#include "conduits/core/vis/element.hpp"
#include "conduits/core/vis/shape.hpp"

namespace upcr {

// Regions by their addresses.
struct RegionsHere {
  static constexpr bool kAlwaysHere = true;
  const VisRegion* list;
  std::uint64_t delta = 0;

  RegionsHere from(std::size_t i) const noexcept { return {list + i, delta}; }
  std::size_t bytes(std::size_t i) const noexcept { return list[i].bytes; }
  char* find(std::size_t i) const noexcept { return reinterpret_cast<char*>(list[i].address + delta); }
  [[gnu::always_inline]] bool find_four(char** here) const noexcept {
    here[0] = find(0), here[1] = find(1), here[2] = find(2), here[3] = find(3);
    return true;
  }
};

// Addresses of pieces of one length.
struct AddressesHere {
  static constexpr bool kAlwaysHere = true;
  const std::uint64_t* list;
  std::size_t length;
  std::uint64_t delta = 0;

  AddressesHere from(std::size_t i) const noexcept { return {list + i, length, delta}; }
  std::size_t bytes(std::size_t) const noexcept { return length; }
  char* find(std::size_t i) const noexcept { return reinterpret_cast<char*>(list[i] + delta); }
  [[gnu::always_inline]] bool find_four(char** here) const noexcept {
    here[0] = find(0), here[1] = find(1), here[2] = find(2), here[3] = find(3);
    return true;
  }
};

// The number of pieces of one length from which a loop made for that length is worth it.
inline constexpr std::size_t kRun = 6;

// Are the first four pieces of this length?
template <typename List>
[[gnu::always_inline]] inline bool four_have(const List& list, std::size_t bytes) noexcept {
  return list.bytes(0) == bytes && list.bytes(1) == bytes && list.bytes(2) == bytes && list.bytes(3) == bytes;
}

// The same for lengths that cannot be predicted, where the answer is mostly no: one branch.
template <typename List>
[[gnu::always_inline]] inline bool next_three_have(const List& list, std::size_t bytes) noexcept {
  return ((list.bytes(1) ^ bytes) | (list.bytes(2) ^ bytes) | (list.bytes(3) ^ bytes)) == 0;
}

// The alignment of a loop's function. A loop of a hundred bytes that lies across three cache lines instead of
// two takes some percent longer.
template <typename Copy>
inline constexpr std::size_t kLoopAlignment = 16;
template <>
inline constexpr std::size_t kLoopAlignment<Exact<32>> = 64;
template <>
inline constexpr std::size_t kLoopAlignment<Exact<64>> = 64;

// Copies the first pieces of a list, `count` at most, to or from contiguous memory at `single`, while they
// are of the copy's size and mapped here. Returns how many.
template <bool kToList, typename List, typename Copy>
[[gnu::noinline, gnu::aligned(kLoopAlignment<Copy>)]] std::size_t copy_beside(const List& first,
                                                                              std::size_t count, char* single,
                                                                              Copy copy) noexcept {
  const std::size_t size = copy.size();
  List list = first;  // in registers
  std::size_t left = count;
  if constexpr (kCopyFitsRegisters<Copy>) {  // addresses and contents of four before the first store
    for (; left >= 4; left -= 4, list = list.from(4), single += 4 * size) {
      char* p[4];
      if (!four_have(list, size) || !list.find_four(p)) break;
      const auto to = [&](std::size_t k) { return kToList ? p[k] : single + k * size; };
      const auto from = [&](std::size_t k) { return kToList ? single + k * size : p[k]; };
      const auto a = copy.load(from(0)), b = copy.load(from(1)), c = copy.load(from(2)),
                 d = copy.load(from(3));
      copy.store(to(0), a);
      copy.store(to(1), b);
      copy.store(to(2), c);
      copy.store(to(3), d);
    }
  }
  for (; left != 0 && list.bytes(0) == size; --left, list = list.from(1), single += size) {
    char* const p = list.find(0);
    if (!List::kAlwaysHere && p == nullptr) break;
    kToList ? copy(p, single) : copy(single, p);
  }
  return count - left;
}

// Copies the first pieces of one list from those of the other while both are of the copy's size and mapped
// here.
template <typename To, typename From, typename Copy>
[[gnu::noinline, gnu::aligned(kLoopAlignment<Copy>)]] std::size_t copy_pairs(const To& first_to,
                                                                             const From& first_from,
                                                                             std::size_t count,
                                                                             Copy copy) noexcept {
  const std::size_t size = copy.size();
  To to = first_to;  // in registers
  From from = first_from;
  std::size_t left = count;
  if constexpr (kCopyFitsRegisters<Copy>) {
    for (; left >= 4; left -= 4, to = to.from(4), from = from.from(4)) {
      char *p[4], *q[4];
      if (!four_have(to, size) || !four_have(from, size) || !from.find_four(q) || !to.find_four(p)) break;
      const auto a = copy.load(q[0]), b = copy.load(q[1]), c = copy.load(q[2]), d = copy.load(q[3]);
      copy.store(p[0], a);
      copy.store(p[1], b);
      copy.store(p[2], c);
      copy.store(p[3], d);
    }
  }
  for (; left != 0 && to.bytes(0) == size && from.bytes(0) == size;
       --left, to = to.from(1), from = from.from(1)) {
    char* const p = to.find(0);
    const char* const q = from.find(0);
    if ((!To::kAlwaysHere && p == nullptr) || (!From::kAlwaysHere && q == nullptr)) break;
    copy(p, q);
  }
  return count - left;
}

// Copies the first pieces of a list, `count` at most, of any lengths, to or from the `room` bytes (not 0) of
// contiguous memory at `single`, while they fit whole and are mapped here.
struct Beside {
  std::size_t pieces, bytes;  // copied
};
template <bool kToList, typename List>
Beside copy_pieces_beside(const List& first, std::size_t count, char* const single,
                          std::size_t room) noexcept {
  const List list = first;
  std::size_t i = 0, at = 0;
  while (i != count) {
    const std::size_t n = list.bytes(i);
    if (n > room - at) break;
    if (n == 0) {
      ++i;
      continue;
    }
    if (count - i >= kRun && next_three_have(list.from(i), n)) {
      const std::size_t most = std::min(count - i, (room - at) / n);
      const std::size_t done = with_copy(
          n, [&](auto copy) { return copy_beside<kToList>(list.from(i), most, single + at, copy); });
      if (done == 0) break;
      i += done;
      at += done * n;
      continue;
    }
    char* const p = list.find(i);
    if (!List::kAlwaysHere && p == nullptr) break;
    kToList ? copy_some(p, single + at, n) : copy_some(single + at, p, n);
    ++i;
    at += n;
  }
  return {i, at};
}

// Copies piece by piece while both lists have pieces of the same lengths, whichever these are. Stops before a
// piece that is not mapped here. Returns how many.
template <typename To, typename From>
std::size_t copy_same_pieces(const To& first_to, const From& first_from, std::size_t count) noexcept {
  const To to = first_to;
  const From from = first_from;
  std::size_t i = 0;
  while (i != count) {
    const std::size_t n = to.bytes(i);
    if (from.bytes(i) != n) break;
    if (n == 0) {
      ++i;
      continue;
    }
    if (count - i >= kRun && next_three_have(to.from(i), n)) {
      const std::size_t done =
          with_copy(n, [&](auto copy) { return copy_pairs(to.from(i), from.from(i), count - i, copy); });
      if (done == 0) break;
      i += done;
      continue;
    }
    char* const p = to.find(i);
    const char* const q = from.find(i);
    if ((!To::kAlwaysHere && p == nullptr) || (!From::kAlwaysHere && q == nullptr)) break;
    copy_some(p, q, n);
    ++i;
  }
  return i;
}

// Copies whole pieces of one list that are each as long as `parts` pieces of the copy's size of the other
// list, as many as have these lengths and are mapped here. Of the next piece a part may have been copied,
// which the caller copies again. Returns how many.
template <bool kToParts, typename Parts, typename Wholes, typename Copy>
[[gnu::noinline]] std::size_t copy_cut(const Parts& first_parts, std::size_t parts_count,
                                       const Wholes& first_wholes, std::size_t wholes_count,
                                       std::size_t parts, Copy copy) noexcept {
  const std::size_t size = copy.size(), whole = parts * size;
  Parts list = first_parts;  // in registers
  Wholes wholes = first_wholes;
  const std::size_t most = std::min(wholes_count, parts_count / parts);
  for (std::size_t done = 0; done != most; ++done, wholes = wholes.from(1)) {
    if (wholes.bytes(0) != whole) return done;
    char* single = wholes.find(0);
    if (!Wholes::kAlwaysHere && single == nullptr) return done;
    std::size_t left = parts;
    if constexpr (kCopyFitsRegisters<Copy>) {
      for (; left >= 4; left -= 4, list = list.from(4), single += 4 * size) {
        char* p[4];
        if (!four_have(list, size) || !list.find_four(p)) return done;
        const auto to = [&](std::size_t k) { return kToParts ? p[k] : single + k * size; };
        const auto from = [&](std::size_t k) { return kToParts ? single + k * size : p[k]; };
        const auto a = copy.load(from(0)), b = copy.load(from(1)), c = copy.load(from(2)),
                   d = copy.load(from(3));
        copy.store(to(0), a);
        copy.store(to(1), b);
        copy.store(to(2), c);
        copy.store(to(3), d);
      }
    }
    for (; left != 0; --left, list = list.from(1), single += size) {
      char* const p = list.bytes(0) == size ? list.find(0) : nullptr;
      if (p == nullptr) return done;
      kToParts ? copy(p, single) : copy(single, p);
    }
  }
  return most;
}

// The position of a copy in a list.
template <typename List>
class ListPosition {
 public:
  // In the list's piece `next`, of which `skipped` bytes have been copied.
  ListPosition(const List& list, std::size_t count, std::size_t next = 0, std::size_t skipped = 0) noexcept
      : list_(list), next_(next), count_(count), left_(0) {
    if (next != count && skipped != 0) {
      here_ = list.find(next) + skipped;
      left_ = list.bytes(next) - skipped;
      whole_ = false;
    }
  }

  List rest() const noexcept { return list_.from(next_); }
  std::size_t entry() const noexcept { return next_; }
  std::size_t skipped() const noexcept { return whole_ || over() ? 0 : list_.bytes(next_) - left_; }
  std::size_t entries() const noexcept { return count_ - next_; }
  bool over() const noexcept { return next_ == count_; }
  char* here() const noexcept { return here_; }
  std::size_t left() const noexcept { return left_; }  // of this piece
  bool whole() const noexcept { return whole_; }       // nothing of it has been copied
  // Moves to the next piece that has bytes left, or behind the last one. False: that piece is not mapped
  // here.
  bool ready() noexcept {
    if (left_ != 0) return true;
    if (!whole_) ++next_, whole_ = true;
    while (next_ != count_ && list_.bytes(next_) == 0) ++next_;
    if (next_ == count_) return true;
    left_ = list_.bytes(next_);
    here_ = list_.find(next_);
    return List::kAlwaysHere || here_ != nullptr;
  }
  // Within the piece.
  void advance(std::size_t bytes) noexcept {
    here_ += bytes;
    left_ -= bytes;
    whole_ = false;
  }
  // To the beginning of another piece.
  void move_to(std::size_t entry) noexcept {
    next_ = entry;
    left_ = 0;
    whole_ = true;
  }

 private:
  List list_;
  std::size_t next_, count_;
  std::size_t left_;
  char* here_ = nullptr;
  bool whole_ = true;
};

// A piece of `wholes` was as long as the last `done` pieces of `parts`: if these had one length, continues
// while that pattern repeats.
template <bool kToParts, typename Parts, typename Wholes>
void continue_cut(ListPosition<Parts>& parts, ListPosition<Wholes>& wholes, const Beside& done) noexcept {
  if (wholes.left() != 0 || done.pieces < 2 || done.bytes % done.pieces != 0) return;
  const std::size_t n = done.bytes / done.pieces;
  wholes.move_to(wholes.entry() + 1);
  if (parts.entries() < done.pieces || wholes.over() || parts.rest().bytes(0) != n ||
      wholes.rest().bytes(0) != done.bytes)
    return;
  const std::size_t more = with_copy(n, [&](auto copy) {
    return copy_cut<kToParts>(parts.rest(), parts.entries(), wholes.rest(), wholes.entries(), done.pieces,
                              copy);
  });
  parts.move_to(parts.entry() + more * done.pieces);
  wholes.move_to(wholes.entry() + more);
}

// Copies until one of the lists ends. False: a piece is not mapped here; of the pieces before it some have
// been copied.
template <typename To, typename From>
bool copy_lists(ListPosition<To>& t, ListPosition<From>& f) noexcept {
  for (;;) {
    if (t.whole() && f.whole()) {
      const std::size_t same = copy_same_pieces(t.rest(), f.rest(), std::min(t.entries(), f.entries()));
      t.move_to(t.entry() + same);
      f.move_to(f.entry() + same);
    }
    if (!t.ready() || !f.ready()) return false;
    if (t.over() || f.over()) return true;
    if (f.left() > t.left() && t.whole()) {
      const Beside done = copy_pieces_beside<true>(t.rest(), t.entries(), f.here(), f.left());
      if (done.pieces == 0) return false;
      t.move_to(t.entry() + done.pieces);
      f.advance(done.bytes);
      continue_cut<true>(t, f, done);
    } else if (t.left() > f.left() && f.whole()) {
      const Beside done = copy_pieces_beside<false>(f.rest(), f.entries(), t.here(), t.left());
      if (done.pieces == 0) return false;
      f.move_to(f.entry() + done.pieces);
      t.advance(done.bytes);
      continue_cut<false>(f, t, done);
    } else {
      const std::size_t n = std::min(t.left(), f.left());
      copy_some(t.here(), f.here(), n);
      t.advance(n);
      f.advance(n);
    }
  }
}

// Copies whole lists. False: a piece is not mapped here.
template <typename To, typename From>
bool copy_lists(const To& to, std::size_t to_count, const From& from, std::size_t from_count) noexcept {
  const std::size_t same = copy_same_pieces(to, from, std::min(to_count, from_count));
  if (same == to_count && same == from_count) return true;
  ListPosition<To> t(to.from(same), to_count - same);
  ListPosition<From> f(from.from(same), from_count - same);
  return copy_lists(t, f);
}

}  // namespace upcr
