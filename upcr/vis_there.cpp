// SPDX-License-Identifier: BSD-3-Clause
// Lists of which one is in the memory of one other process, which is not mapped here, and the other one is
// here: they become sides of core/vis as they are, the remote one's entries as addresses of that process.
#include <vector>

#include "upcr/data.hpp"
#include "upcr/vis.hpp"

namespace upcr {
namespace {

constexpr std::size_t kMostEntries = 65536;  // a list's that is translated at once: a megabyte

// Where lists are translated: kept, because memory of such sizes comes fresh from the kernel each time.
// core/vis is done with a list when it has started the copy.
struct Buffers {
  std::vector<std::uint64_t> addresses;
  std::vector<VisRegion> regions;
};
Buffers& buffers(bool destination) {
  thread_local Buffers both[2];
  return both[destination ? 1 : 0];
}

// A list as addresses of the process that has it.
class Translated {
 public:
  explicit Translated(Buffers& buffers) : buffers_(buffers) {}
  // False: its entries are in more than one process, or of the one process some are mapped here and some not.
  bool translate(const VisList& list) {
    list_ = list;
    if (list.count > kMostEntries) return false;
    if (!list.shared) return true;
    std::uint64_t* const addresses = list.length != 0 ? room(buffers_.addresses, list.count) : nullptr;
    VisRegion* const regions = list.length == 0 ? room(buffers_.regions, list.count) : nullptr;
    const Job& j = job();
    std::size_t n = 0;
    Slot thread = 0;
    std::uint64_t base = 0;  // of the thread's segment, in the process that we speak of
    bool first = true;
    for (std::size_t i = 0; i < list.count; ++i) {
      const std::size_t bytes = list.bytes(i);
      if (bytes == 0) continue;
      const SharedAddr a = decode(list.pointer(i));
      if (first || a.thread != thread) {
        thread = a.thread;
        const bool here = j.segments.mapped[thread] != 0;
        const Rank rank = here ? j.topology.rank : j.topology.rank_of[thread];
        if (!first && (here != here_ || rank != rank_)) return false;
        here_ = here;
        rank_ = rank;
        base = here ? j.segments.mapped[thread] : j.segments.remote[thread];
        first = false;
      }
      if (addresses != nullptr)
        addresses[n++] = base + a.offset;
      else
        regions[n++] = {base + a.offset, bytes};
    }
    count_ = n;
    return true;
  }
  bool here() const { return here_; }
  Rank rank() const { return rank_; }
  VisSide side() const {
    if (list_.shared)
      return list_.length != 0 ? side_of(buffers_.addresses.data(), count_)
                               : side_of(buffers_.regions.data(), count_);
    return list_.length != 0 ? side_of(static_cast<const std::uint64_t*>(list_.list), list_.count)
                             : side_of(static_cast<const VisRegion*>(list_.list), list_.count);
  }

 private:
  template <typename T>
  static T* room(std::vector<T>& v, std::size_t n) {
    if (v.size() < n) v.resize(n);
    return v.data();
  }
  VisSide side_of(const std::uint64_t* addresses, std::size_t n) const {
    return n == 1 ? VisSide::of({addresses[0], list_.length}) : VisSide::indexed(addresses, n, list_.length);
  }
  static VisSide side_of(const VisRegion* regions, std::size_t n) {
    return n == 1 ? VisSide::of({regions[0].address, regions[0].bytes}) : VisSide::vector(regions, n);
  }

  VisList list_{};
  bool here_ = true;
  Rank rank_ = 0;
  Buffers& buffers_;
  std::size_t count_ = 0;  // of what is in them
};

}  // namespace

bool vis_copy_lists_there(const VisList& to, const VisList& from, Pending& done) {
  Translated t(buffers(true)), f(buffers(false));
  if (!t.translate(to) || !f.translate(from) || t.here() == f.here()) return false;
  if (f.here())
    vis_put(t.rank(), t.side(), f.side(), done, &done);
  else
    vis_get(f.rank(), t.side(), f.side(), done);
  return true;
}

}  // namespace upcr
