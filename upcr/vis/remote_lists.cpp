// SPDX-License-Identifier: BSD-3-Clause
// Copies between a list that is mapped here and one in the memory of one other process, which is not.
// core/vis copies them as they are: pointers of one thread are addresses but for a number that is to be added
// to each of them, others are translated to addresses of that process.
#include <cstddef>
#include <cstring>
#include <vector>

#include "upcr/access/data.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/vis/vis.hpp"

namespace upcr {
namespace {

constexpr std::size_t kMaxEntries = 65536;  // of a list that is translated at once: a megabyte

// Memory for translated lists. Kept, because malloc() returns blocks of this size to the kernel. core/vis
// reads a list until it has started the copy, or where the caller keeps its lists until the copy is done:
// then the thread waits, and starts no other one.
struct Buffers {
  std::vector<std::uint64_t> addresses;
  std::vector<VisRegion> regions;
};
Buffers& buffers(bool destination) {
  thread_local Buffers both[2];
  return both[destination ? 1 : 0];
}

// A list, translated to addresses of the process that has its memory.
class Translated {
 public:
  explicit Translated(Buffers& buffers) : buffers_(buffers) {}
  // False: its entries are in more than one process, or only some of them are mapped here.
  bool translate(const VisList& list) {
    list_ = list;
    length_ = list.length;
    if (!list.shared || is_of_one_thread()) return true;
    if (list.count > kMaxEntries) return false;
    if (list.length != 0)
      return each(static_cast<const upcr_shared_ptr_t*>(list.list), list.count,
                  reserve(buffers_.addresses, list.count)) == Result::kDone;
    // Most lists of regions have one length, and are translated to addresses, which are half as long.
    const auto* const regions = static_cast<const bupc_smemvec_t*>(list.list);
    length_ = list.count != 0 ? regions->len : 0;
    if (length_ != 0) {
      const Result r = each(regions, list.count, reserve(buffers_.addresses, list.count));
      if (r != Result::kOtherLength) return r == Result::kDone;
    }
    length_ = 0;
    return each(regions, list.count, reserve(buffers_.regions, list.count)) == Result::kDone;
  }
  bool here() const { return here_; }
  Rank rank() const { return rank_; }
  VisSide side() const {
    if (list_.shared && !in_place_)
      return length_ != 0 ? side_of(buffers_.addresses.data(), count_)
                          : side_of(buffers_.regions.data(), count_);
    return list_.length != 0 ? side_of(static_cast<const std::uint64_t*>(list_.list), list_.count)
                             : side_of(static_cast<const VisRegion*>(list_.list), list_.count);
  }

 private:
  static upcr_shared_ptr_t pointer(const upcr_shared_ptr_t& p) { return p; }
  static upcr_shared_ptr_t pointer(const bupc_smemvec_t& v) { return v.addr; }
  static bool is_empty(const upcr_shared_ptr_t&) { return false; }
  static bool is_empty(const bupc_smemvec_t& v) { return v.len == 0; }
  // Whether a list of addresses cannot have this entry.
  static bool differs(const std::uint64_t*, const upcr_shared_ptr_t&, std::size_t) { return false; }
  static bool differs(const std::uint64_t*, const bupc_smemvec_t& v, std::size_t length) {
    return v.len != length;
  }
  static bool differs(const VisRegion*, const bupc_smemvec_t&, std::size_t) { return false; }
  template <typename Entry>
  static void set(std::uint64_t& to, std::uint64_t address, const Entry&) {
    to = address;
  }
  static void set(VisRegion& to, std::uint64_t address, const bupc_smemvec_t& v) { to = {address, v.len}; }

  struct Owner {
    bool here;
    Rank rank;
    std::uint64_t base;  // of the thread's segment in that process
  };
  static Owner owner_of(Slot thread) {
    check_thread({thread, 0});
    const Job& j = job();
    if (const std::uint64_t base = j.segments.mapped[thread]; base != 0) return {true, j.topology.rank, base};
    return {false, j.topology.rank_of[thread], j.segments.remote[thread]};
  }

  // If all pointers have the same thread and phase: they are addresses but for one number.
  bool is_of_one_thread() {
#ifdef UPCRI_POINTER_packed
    static_assert(sizeof(upcr_shared_ptr_t) == sizeof(std::uint64_t) &&
                  sizeof(bupc_smemvec_t) == sizeof(VisRegion) &&
                  offsetof(bupc_smemvec_t, len) == offsetof(VisRegion, bytes));
    if (list_.count == 0) return false;
    const upcr_shared_ptr_t first = list_.pointer(0);
    const bool regions = list_.length == 0;
    const Two differ = regions ? difference(list_.list, list_.count * 2, Two{first, list_.bytes(0)})
                               : difference(list_.list, list_.count, Two{first, first});
    if ((regions ? differ[0] : differ[0] | differ[1]) >> UPCRI_ADDR_BITS != 0) return false;
    length_ = regions && differ[1] != 0 ? 0 : list_.bytes(0);
    const SharedAddr a = decode(first);
    const Owner owner = owner_of(a.thread);
    here_ = owner.here;
    rank_ = owner.rank;
    delta_ = owner.base + a.offset - first;
    return in_place_ = true;
#else
    return false;
#endif
  }
  // The bits in which the words of a list are not those of `first`, every other word together.
  using Two [[gnu::vector_size(16)]] = std::uint64_t;
  static Two difference(const void* list, std::size_t words, Two first) {
    const auto* at = static_cast<const char*>(list);
    const auto next = [&] {
      Two two;
      std::memcpy(&two, at, sizeof two);
      at += sizeof two;
      return two ^ first;
    };
    Two a{}, b{};
    for (; words >= 4; words -= 4) {
      a |= next();
      b |= next();
    }
    if (words >= 2) a |= next();
    if (words % 2 != 0) {
      std::uint64_t last;
      std::memcpy(&last, at, sizeof last);
      a[0] |= last ^ first[0];
    }
    return a | b;
  }

  enum class Result : std::uint8_t {
    kDone,
    kSeveral,      // processes, or only some entries are mapped here
    kOtherLength,  // an entry has not the length of the first one
  };
  // An inner loop for consecutive entries of one thread, with the base of its segment in a register.
  template <typename Entry, typename To>
  Result each(const Entry* entry, std::size_t count, To* const to) {
    const Entry* const end = entry + count;
    To* next = to;
    const std::size_t length = length_;
    while (entry != end) {
      if (is_empty(*entry)) {
        ++entry;
        continue;
      }
      const Slot thread = decode(pointer(*entry)).thread;
      const Owner owner = owner_of(thread);
      if (next != to && (owner.here != here_ || owner.rank != rank_)) return Result::kSeveral;
      here_ = owner.here;
      rank_ = owner.rank;
      const std::uint64_t base = owner.base;
      for (; entry != end; ++entry) {
        if (is_empty(*entry)) continue;
        if (differs(to, *entry, length)) return Result::kOtherLength;
        const SharedAddr a = decode(pointer(*entry));
        if (a.thread != thread) break;
        set(*next++, base + a.offset, *entry);
      }
    }
    count_ = static_cast<std::size_t>(next - to);
    return Result::kDone;
  }

  template <typename T>
  static T* reserve(std::vector<T>& v, std::size_t n) {
    if (v.size() < n) v.resize(n);
    return v.data();
  }
  VisSide side_of(const std::uint64_t* addresses, std::size_t n) const {
    if (n == 1) return VisSide::of({addresses[0] + delta_, length_});
    return with_delta(VisSide::indexed(addresses, n, length_));
  }
  VisSide side_of(const VisRegion* regions, std::size_t n) const {
    if (n == 1) return VisSide::of({regions[0].address + delta_, regions[0].bytes});
    return with_delta(VisSide::vector(regions, n, length_));
  }
  VisSide with_delta(VisSide side) const {
    side.delta = delta_;
    return side;
  }

  VisList list_{};
  std::size_t length_ = 0;   // of each entry; 0: regions of several or of unknown lengths
  bool in_place_ = false;    // the list is used as it is
  std::uint64_t delta_ = 0;  // then to be added to its addresses
  bool here_ = true;
  Rank rank_ = 0;
  Buffers& buffers_;
  std::size_t count_ = 0;  // entries in buffers_
};

}  // namespace

bool vis_copy_lists_remote(const VisList& to, const VisList& from, Pending& done, VisLists lists) {
  Translated t(buffers(true)), f(buffers(false));
  if (!t.translate(to) || !f.translate(from) || t.here() == f.here()) return false;
  if (f.here())
    job().vis.put(t.rank(), t.side(), f.side(), done, &done);
  else
    job().vis.get(f.rank(), t.side(), f.side(), done, lists);
  return true;
}

}  // namespace upcr
