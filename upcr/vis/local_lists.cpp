// SPDX-License-Identifier: BSD-3-Clause
// Lists whose entries are all in memory that this process has mapped: one pass that translates and copies
// entry by entry (conduits/core/vis/lists.hpp has the loops).
#include "conduits/core/vis/lists.hpp"
#include "upcr/vis/vis.hpp"

namespace upcr {
namespace {

// Translates pointers-to-shared to local addresses. Has a copy of the variables of window.h, which a loop
// with stores would load again for each entry.
class Finder {
 public:
  // Null if the memory is not mapped here.
  char* find(upcr_shared_ptr_t p) const noexcept {
#ifdef UPCRI_POINTER_packed
    const std::uint64_t d = distance(p);
    if (d < span_) [[likely]]
      return at(d);
#endif
    return find_slow(p);
  }
  // Four pointers at once. False: the memory of one is not mapped here.
  [[gnu::always_inline]] bool find_four(upcr_shared_ptr_t p, upcr_shared_ptr_t q, upcr_shared_ptr_t r,
                                        upcr_shared_ptr_t s, char** here) const noexcept {
#ifdef UPCRI_POINTER_packed
    const std::uint64_t a = distance(p), b = distance(q), c = distance(r), d = distance(s);
    if (a < span_ && b < span_ && c < span_ && d < span_) [[likely]] {
      here[0] = at(a), here[1] = at(b), here[2] = at(c), here[3] = at(d);
      return true;
    }
#endif
    return (here[0] = find_slow(p)) != nullptr && (here[1] = find_slow(q)) != nullptr &&
           (here[2] = find_slow(r)) != nullptr && (here[3] = find_slow(s)) != nullptr;
  }

 private:
  [[gnu::noinline, gnu::cold]] static char* find_slow(upcr_shared_ptr_t p) noexcept {
    const VisLocation location = vis_locate(p);
    return location.here ? reinterpret_cast<char*>(location.address) : nullptr;
  }
#ifdef UPCRI_POINTER_packed
  std::uint64_t distance(upcr_shared_ptr_t p) const noexcept { return upcri_drop_phase(p) - first_; }
  char* at(std::uint64_t distance) const noexcept {
    char* const here = reinterpret_cast<char*>(base_ + distance);
    if (here == nullptr) __builtin_unreachable();  // saves the caller's test
    return here;
  }
  std::uint64_t first_ = upcri_window.first, span_ = upcri_window.span, base_ = upcri_window.base;
#endif
};

// Lists of regions, and of addresses with one length, in shared memory.
struct SharedRegions {
  static constexpr bool kAlwaysHere = false;
  const bupc_smemvec_t* list;
  Finder finder;

  SharedRegions from(std::size_t i) const noexcept { return {list + i, finder}; }
  std::size_t bytes(std::size_t i) const noexcept { return list[i].len; }
  char* find(std::size_t i) const noexcept { return finder.find(list[i].addr); }
  [[gnu::always_inline]] bool find_four(char** here) const noexcept {
    return finder.find_four(list[0].addr, list[1].addr, list[2].addr, list[3].addr, here);
  }
};

struct SharedAddresses {
  static constexpr bool kAlwaysHere = false;
  const upcr_shared_ptr_t* list;
  std::size_t length;
  Finder finder;

  SharedAddresses from(std::size_t i) const noexcept { return {list + i, length, finder}; }
  std::size_t bytes(std::size_t) const noexcept { return length; }
  char* find(std::size_t i) const noexcept { return finder.find(list[i]); }
  [[gnu::always_inline]] bool find_four(char** here) const noexcept {
    return finder.find_four(list[0], list[1], list[2], list[3], here);
  }
};

static_assert(sizeof(bupc_pmemvec_t) == sizeof(VisRegion) &&
              offsetof(bupc_pmemvec_t, len) == offsetof(VisRegion, bytes));

SharedRegions shared_regions(const VisList& l) noexcept {
  return {static_cast<const bupc_smemvec_t*>(l.list), Finder{}};
}
RegionsHere regions(const VisList& l) noexcept { return {static_cast<const VisRegion*>(l.list)}; }
SharedAddresses shared_addresses(const VisList& l) noexcept {
  return {static_cast<const upcr_shared_ptr_t*>(l.list), l.length, Finder{}};
}
AddressesHere addresses(const VisList& l) noexcept {
  return {static_cast<const std::uint64_t*>(l.list), l.length};
}

// One of the lists is shared.
template <typename Shared, typename Private>
bool copy_here(const VisList& to, const VisList& from, Shared shared, Private priv) noexcept {
  if (!from.shared) return copy_lists(shared(to), to.count, priv(from), from.count);
  if (!to.shared) return copy_lists(priv(to), to.count, shared(from), from.count);
  return copy_lists(shared(to), to.count, shared(from), from.count);
}

}  // namespace

bool vis_copy_lists_local(const VisList& to, const VisList& from) noexcept {
  return to.length == 0 ? copy_here(to, from, shared_regions, regions)
                        : copy_here(to, from, shared_addresses, addresses);
}

}  // namespace upcr
