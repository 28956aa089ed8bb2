// SPDX-License-Identifier: BSD-3-Clause
// Lists whose entries are all in memory that this process has mapped: one pass that finds an entry's place
// and copies it at once. The common forms have one loop each: many entries of one length to or from one
// piece, entry by entry between two such lists, and entries of different lengths to or from one piece.
#include <algorithm>
#include <cstring>

#include "conduits/core/vis/element.hpp"
#include "conduits/core/vis/kernels.hpp"
#include "upcr/vis.hpp"

namespace upcr {
namespace {

// Where shared memory is here. Holds what it needs of the window, which a loop with stores would read again
// for each entry.
class Finder {
 public:
  // Null: not here.
  char* find(upcr_shared_ptr_t p) const noexcept {
#ifdef UPCRI_POINTER_packed
    const std::uint64_t d = distance(p);
    if (d < span_) [[likely]]
      return at(d);
#endif
    return find_slowly(p);
  }
  // Four at once. False: one of them is not here.
  bool find_four(const upcr_shared_ptr_t* p, char** here) const noexcept {
#ifdef UPCRI_POINTER_packed
    const std::uint64_t a = distance(p[0]), b = distance(p[1]), c = distance(p[2]), d = distance(p[3]);
    if (a < span_ && b < span_ && c < span_ && d < span_) [[likely]] {
      here[0] = at(a), here[1] = at(b), here[2] = at(c), here[3] = at(d);
      return true;
    }
#endif
    return find_four_slowly(p, here);
  }

 private:
  [[gnu::noinline, gnu::cold]] static char* find_slowly(upcr_shared_ptr_t p) noexcept {
    const VisPlace place = vis_place(p);
    return place.here ? reinterpret_cast<char*>(place.address) : nullptr;
  }
  [[gnu::noinline, gnu::cold]] static bool find_four_slowly(const upcr_shared_ptr_t* p,
                                                            char** here) noexcept {
    for (unsigned i = 0; i < 4; ++i)
      if ((here[i] = find_slowly(p[i])) == nullptr) return false;
    return true;
  }
#ifdef UPCRI_POINTER_packed
  std::uint64_t distance(upcr_shared_ptr_t p) const noexcept { return upcri_drop_phase(p) - first_; }
  char* at(std::uint64_t distance) const noexcept {
    char* const here = reinterpret_cast<char*>(base_ + distance);
    if (here == nullptr) __builtin_unreachable();  // saves the caller's test
    return here;
  }
  const std::uint64_t first_ = upcri_window.first, span_ = upcri_window.span, base_ = upcri_window.base;
#endif
};

// The only entry of a list; null: not here.
char* find_single(const VisList& list) noexcept {
  const VisPlace p = list.place(0);
  return p.here ? reinterpret_cast<char*>(p.address) : nullptr;
}

// Entries of one length to or from one piece. A function for each size of an element: in one they would
// share the registers.
template <typename Copy>
[[gnu::noinline]] bool scatter_each(const upcr_shared_ptr_t* to, std::size_t count, const char* from,
                                    Copy copy) noexcept {
  const std::size_t elem = copy.size();
  const Finder finder{};
  std::size_t i = 0;
  if constexpr (copy_fits_registers<Copy>) {  // places and contents of four before the first store
    for (; i + 4 <= count; i += 4, from += 4 * elem) {
      char* t[4];
      if (!finder.find_four(to + i, t)) return false;
      const auto a = copy.load(from), b = copy.load(from + elem), c = copy.load(from + 2 * elem),
                 d = copy.load(from + 3 * elem);
      copy.store(t[0], a);
      copy.store(t[1], b);
      copy.store(t[2], c);
      copy.store(t[3], d);
    }
  }
  for (; i < count; ++i, from += elem) {
    char* const t = finder.find(to[i]);
    if (t == nullptr) return false;
    copy(t, from);
  }
  return true;
}

template <typename Copy>
[[gnu::noinline]] bool gather_each(char* to, const upcr_shared_ptr_t* from, std::size_t count,
                                   Copy copy) noexcept {
  const std::size_t elem = copy.size();
  const Finder finder{};
  for (std::size_t i = 0; i < count; ++i, to += elem) {
    const char* const f = finder.find(from[i]);
    if (f == nullptr) return false;
    copy(to, f);
  }
  return true;
}

bool scatter(const VisList& to, const char* from) noexcept {
  if (from == nullptr) return false;
  if (to.shared)
    return with_copy(to.length, [&](auto copy) {
      return scatter_each(static_cast<const upcr_shared_ptr_t*>(to.list), to.count, from, copy);
    });
  vis_scatter(static_cast<const std::uint64_t*>(to.list), 0, from, to.count, to.length);
  return true;
}

bool gather(char* to, const VisList& from) noexcept {
  if (to == nullptr) return false;
  if (from.shared)
    return with_copy(from.length, [&](auto copy) {
      return gather_each(to, static_cast<const upcr_shared_ptr_t*>(from.list), from.count, copy);
    });
  vis_gather(to, static_cast<const std::uint64_t*>(from.list), 0, from.count, from.length);
  return true;
}

// Entry by entry, in handfuls whose places are found first.
constexpr std::size_t kHandful = 256;

const std::uint64_t* places(const Finder& finder, const VisList& list, std::size_t first, std::size_t n,
                            std::uint64_t* room) noexcept {
  if (!list.shared) return static_cast<const std::uint64_t*>(list.list) + first;
  const auto* entries = static_cast<const upcr_shared_ptr_t*>(list.list) + first;
  for (std::size_t i = 0; i < n; ++i) {
    char* const here = finder.find(entries[i]);
    if (here == nullptr) return nullptr;
    room[i] = reinterpret_cast<std::uint64_t>(here);
  }
  return room;
}

bool move_each(const VisList& to, const VisList& from) noexcept {
  const Finder finder{};
  std::uint64_t to_room[kHandful], from_room[kHandful];
  for (std::size_t i = 0; i < to.count; i += kHandful) {
    const std::size_t n = std::min(kHandful, to.count - i);
    const std::uint64_t* t = places(finder, to, i, n, to_room);
    const std::uint64_t* f = places(finder, from, i, n, from_room);
    if (t == nullptr || f == nullptr) return false;
    vis_move_each(t, 0, f, 0, n, to.length);
  }
  return true;
}

// A length that is known only now: what fits few registers without a call.
inline void copy_some(char* to, const char* from, std::size_t bytes) noexcept {
  if (bytes >= 64 || bytes < 8) {
    std::memcpy(to, from, bytes);
  } else if (bytes <= 16) {
    Twice<8>{bytes - 8}(to, from);
  } else if (bytes <= 32) {
    Twice<16>{bytes - 16}(to, from);
  } else {
    Twice<32>{bytes - 32}(to, from);
  }
}

// One entry of a list of regions.
char* find_entry(const Finder& finder, const bupc_smemvec_t& entry) noexcept {
  return finder.find(entry.addr);
}
char* find_entry(const Finder&, const bupc_pmemvec_t& entry) noexcept {
  return static_cast<char*>(entry.addr);
}

// Walks a list of regions beside one piece of `room` bytes; copies each region to or from its part of it.
template <bool kToList, typename Entry>
class Regions {
 public:
  Regions(const VisList& list, char* single, std::size_t room) noexcept
      : next_(static_cast<const Entry*>(list.list)), end_(next_ + list.count), single_(single), room_(room) {}

  // False: an entry is not here, or the lengths do not add up.
  bool copy() noexcept {
    while (next_ != end_) {
      const std::size_t bytes = next_->len;
      const bool alike =
          end_ - next_ >= 4 && next_[1].len == bytes && next_[2].len == bytes && next_[3].len == bytes;
      if (bytes == 0)
        ++next_;
      else if (alike ? !with_copy(bytes, [&](auto copy) { return copy_alike(copy); })
                     : !copy_one(bytes, [bytes](char* to, const char* from) { copy_some(to, from, bytes); }))
        return false;
    }
    return true;
  }

 private:
  template <typename Copy>
  bool copy_one(std::size_t bytes, Copy copy) noexcept {
    char* const here = find_entry(finder_, *next_);
    if (here == nullptr || bytes > room_) return false;
    if constexpr (kToList)
      copy(here, single_);
    else
      copy(single_, here);
    single_ += bytes;
    room_ -= bytes;
    ++next_;
    return true;
  }
  // As long as they have this length.
  template <typename Copy>
  [[gnu::noinline]] bool copy_alike(Copy copy) noexcept {
    const std::size_t bytes = copy.size();
    Regions r = *this;  // in registers
    while (r.next_ != r.end_ && r.next_->len == bytes)
      if (!r.copy_one(bytes, copy)) return false;
    next_ = r.next_;
    single_ = r.single_;
    room_ = r.room_;
    return true;
  }

  const Finder finder_{};
  const Entry* next_;
  const Entry* const end_;
  char* single_;
  std::size_t room_;
};

template <bool kToList>
bool copy_beside(const VisList& list, const VisList& piece) noexcept {
  char* const single = find_single(piece);
  if (single == nullptr) return false;
  return list.shared ? Regions<kToList, bupc_smemvec_t>(list, single, piece.bytes(0)).copy()
                     : Regions<kToList, bupc_pmemvec_t>(list, single, piece.bytes(0)).copy();
}

bool copy_equal(const VisList& to, const VisList& from) noexcept {
  if (to.count * to.length != from.count * from.length) return false;
  if (to.length == from.length) return move_each(to, from);
  if (from.count == 1) return scatter(to, find_single(from));
  if (to.count == 1) return gather(find_single(to), from);
  return false;
}

bool copy_regions(const VisList& to, const VisList& from) noexcept {
  if (from.count == 1) return copy_beside<true>(to, from);
  return to.count == 1 && copy_beside<false>(from, to);
}

}  // namespace

bool vis_copy_lists_here(const VisList& to, const VisList& from) noexcept {
  if (to.length != 0 && from.length != 0) return copy_equal(to, from);
  if (to.length == 0 && from.length == 0) return copy_regions(to, from);
  return false;
}

}  // namespace upcr
