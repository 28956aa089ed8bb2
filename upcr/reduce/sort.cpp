// SPDX-License-Identifier: BSD-3-Clause
// bupc_all_sort: sample sort (Frazer, McKellar, JACM 1970) with regular sampling (Shi, Schaeffer, JPDC 1992).
// Each thread sorts its elements; splitters chosen from regular samples of all cut every thread's elements
// into one bucket a thread; each thread receives its bucket as sorted runs and merges them; then the elements
// of the buckets are sent to their threads in the array. Elements that compare equal are ordered by their
// origin, so a bucket has no more than about twice the average for any input. The program's function compares
// elements in shared memory: in the array itself, and copies in the caller's shared heap. UPC threads.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/heap.h"
#include "upcr/observe/span.hpp"
#include "upcr/reduce/check.hpp"
#include "upcr/reduce/ranks.hpp"

namespace upcr::coll {
namespace {

using Compare = int (*)(upcr_shared_ptr_t, upcr_shared_ptr_t);

// Elements in this thread's shared memory.
class Elements {
 public:
  Elements(ThreadCtx& c, std::uint64_t offset, std::size_t bytes, Compare compare)
      : c_(&c), offset_(offset), bytes_(bytes), compare_(compare) {}
  char* local(std::size_t i) const { return c_->segment + offset_ + i * bytes_; }
  upcr_shared_ptr_t shared(std::size_t i) const { return encode({c_->thread, offset_ + i * bytes_}); }
  int compare(std::size_t i, const Elements& other, std::size_t j) const {
    return compare_(shared(i), other.shared(j));
  }
  bool before(std::size_t i, std::size_t j) const { return compare(i, *this, j) < 0; }

 private:
  ThreadCtx* c_;
  std::uint64_t offset_;
  std::size_t bytes_;
  Compare compare_;
};

// Shared memory of this thread for `count` elements.
class SharedScratch {
 public:
  SharedScratch(std::size_t count, std::size_t bytes)
      : memory_(upcr_alloc(std::max<std::size_t>(count * bytes, 1))) {}
  ~SharedScratch() { upcr_free(memory_); }
  SharedScratch(const SharedScratch&) = delete;
  SharedScratch& operator=(const SharedScratch&) = delete;
  std::uint64_t offset() const { return upcr_addrfield_shared(memory_); }

 private:
  upcr_shared_ptr_t memory_;
};

// The origin of a sample, which orders elements that compare equal.
struct Origin {
  std::uint64_t rank, index;  // index: in the rank's sorted order
};

class Sort {
 public:
  Sort(Call& call, const Layout& layout, std::uint64_t offset, std::size_t bytes, Compare compare)
      : c_(call.ctx()),
        layout_(layout),
        bytes_(bytes),
        compare_(compare),
        ranks_(call, layout.thread_of(0), layout.ranks(), 0),
        me_(ranks_.me()),
        count_(ranks_.count()),
        mine_(static_cast<std::size_t>(layout.count(me_))),
        elements_(c_, layout.run_offset(me_, offset, bytes), bytes, compare),
        order_(mine_) {}

  void run() {
    if (!ranks_.participates()) return;
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::size_t a, std::size_t b) { return elements_.before(a, b); });
    if (count_ == 1) return put_in_order();
    choose_cuts();
    exchange_sizes();
    const SharedScratch memory(sizes_in_[count_], bytes_);
    const Elements bucket(c_, memory.offset(), bytes_, compare_);
    fetch_bucket(bucket);
    merge(bucket);
    scatter(bucket);
  }

 private:
  void put_in_order() {
    const Scratch sorted(mine_ * bytes_);
    pack(sorted.get(), elements_, order_, 0, mine_);
    std::memcpy(elements_.local(0), sorted.get(), mine_ * bytes_);
  }
  void pack(char* to, const Elements& from, const std::vector<std::size_t>& order, std::size_t begin,
            std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i, to += bytes_) std::memcpy(to, from.local(order[i]), bytes_);
  }

  // cuts_[j]: how many of this rank's sorted elements belong to buckets before j.
  void choose_cuts() {
    // Every rank contributes as many samples as there are ranks, evenly over its elements; a rank with fewer
    // elements contributes some of them several times.
    const std::size_t samples = std::size_t{count_} * count_;
    const SharedScratch memory(samples, bytes_);
    const Elements sample(c_, memory.offset(), bytes_, compare_);
    std::vector<Origin> origins(samples);
    for (Slot k = 0; k < count_; ++k) {
      const std::size_t i = std::size_t{me_} * count_ + k, index = mine_ * k / count_;
      origins[i] = {me_, index};
      std::memcpy(sample.local(i), elements_.local(order_[index]), bytes_);
    }
    ranks_.all_gather(sample.local(0), bytes_ * count_);
    ranks_.all_gather(origins.data(), sizeof(Origin) * count_);
    std::vector<std::size_t> order(samples);
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Samples are in the order of Origin, so a stable sort keeps it for equal ones.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sample.before(a, b); });
    cuts_.assign(count_ + std::size_t{1}, 0);
    cuts_[count_] = mine_;
    for (Slot j = 1; j < count_; ++j) {
      const std::size_t splitter = order[std::size_t{j} * count_];
      cuts_[j] = std::max(cuts_[j - 1], elements_before(sample, splitter, origins[splitter]));
    }
  }
  std::size_t elements_before(const Elements& sample, std::size_t splitter, const Origin& origin) const {
    std::size_t low = 0, high = mine_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const int order = elements_.compare(order_[middle], sample, splitter);
      const bool before = order != 0           ? order < 0
                          : me_ != origin.rank ? me_ < origin.rank
                                               : middle < origin.index;
      (before ? low : high) = before ? middle + 1 : middle;
    }
    return low;
  }

  // sizes_in_[i]: the elements of this rank's bucket that come from ranks before i; starts_[j]: the index in
  // the sorted array of the first element of bucket j.
  void exchange_sizes() {
    std::vector<std::uint64_t> all(std::size_t{count_} * count_);
    for (Slot j = 0; j < count_; ++j) all[std::size_t{me_} * count_ + j] = cuts_[j + 1] - cuts_[j];
    ranks_.all_gather(all.data(), sizeof(std::uint64_t) * count_);
    sizes_in_.assign(count_ + std::size_t{1}, 0);
    starts_.assign(count_ + std::size_t{1}, 0);
    for (Slot i = 0; i < count_; ++i)
      sizes_in_[i + 1] = sizes_in_[i] + static_cast<std::size_t>(all[std::size_t{i} * count_ + me_]);
    for (Slot j = 0; j < count_; ++j) {
      starts_[j + 1] = starts_[j];
      for (Slot i = 0; i < count_; ++i) starts_[j + 1] += all[std::size_t{i} * count_ + j];
    }
  }

  void fetch_bucket(const Elements& bucket) {
    std::size_t largest = 0;
    for (Slot j = 0; j < count_; ++j) largest = std::max(largest, cuts_[j + 1] - cuts_[j]);
    const Scratch packed(largest * bytes_);
    ranks_.exchange(
        [&](Slot to) {
          pack(packed.get(), elements_, order_, cuts_[to], cuts_[to + 1]);
          return Ranks::Piece{packed.get(), (cuts_[to + 1] - cuts_[to]) * bytes_};
        },
        [&](Slot from) {
          return Ranks::Destination{bucket.local(sizes_in_[from]),
                                    (sizes_in_[from + 1] - sizes_in_[from]) * bytes_};
        },
        [](Slot) {});
  }

  // Makes order_ that of the bucket: merges neighbouring runs until there is one.
  void merge(const Elements& bucket) {
    order_.resize(sizes_in_[count_]);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto at = [this](std::size_t run) {
      return order_.begin() + static_cast<std::ptrdiff_t>(sizes_in_[std::min<std::size_t>(run, count_)]);
    };
    for (std::size_t runs = 1; runs < count_; runs *= 2)
      for (std::size_t run = 0; run + runs < count_; run += 2 * runs)
        std::inplace_merge(at(run), at(run + runs), at(run + 2 * runs),
                           [&](std::size_t a, std::size_t b) { return bucket.before(a, b); });
  }

  // The elements of a bucket that belong to one rank are contiguous in its memory, which may be overwritten
  // now: all its elements have been sent.
  void scatter(const Elements& bucket) {
    const auto first_of = [&](Slot rank, Slot j) { return layout_.count_below(rank, starts_[j]); };
    std::size_t largest = 0;
    for (Slot r = 0; r < count_; ++r)
      largest = std::max(largest, static_cast<std::size_t>(first_of(r, me_ + 1) - first_of(r, me_)));
    const Scratch packed(largest * bytes_);
    ranks_.exchange(
        [&](Slot to) {
          const std::size_t n = pack_for(to, packed.get(), bucket);
          return Ranks::Piece{packed.get(), n * bytes_};
        },
        [&](Slot from) {
          const std::uint64_t first = first_of(me_, from);
          return Ranks::Destination{elements_.local(static_cast<std::size_t>(first)),
                                    static_cast<std::size_t>(first_of(me_, from + 1) - first) * bytes_};
        },
        [](Slot) {});
  }
  // The elements of the bucket that belong to a rank, block by block.
  std::size_t pack_for(Slot rank, char* to, const Elements& bucket) const {
    const std::uint64_t begin = starts_[me_], end = starts_[me_ + 1];
    std::size_t packed = 0;
    for (std::uint64_t row = layout_.row_of(begin); row < layout_.rows_of(rank); ++row) {
      const std::uint64_t from = std::max(begin, layout_.block_begin(rank, row));
      const std::uint64_t until = std::min(end, layout_.block_end(rank, row));
      if (from >= end) break;
      if (from >= until) continue;
      const std::size_t n = static_cast<std::size_t>(until - from);
      pack(to + packed * bytes_, bucket, order_, static_cast<std::size_t>(from - begin),
           static_cast<std::size_t>(until - begin));
      packed += n;
    }
    return packed;
  }

  ThreadCtx& c_;
  const Layout& layout_;
  const std::size_t bytes_;
  const Compare compare_;
  Ranks ranks_;
  const Slot me_, count_;
  const std::size_t mine_;  // elements
  const Elements elements_;
  std::vector<std::size_t> order_, cuts_, sizes_in_;
  std::vector<std::uint64_t> starts_;
};

}  // namespace

extern "C" {

UPCRI_API void upcri_sort(upcr_shared_ptr_t array, size_t elem_size, size_t nelems, size_t blk_size,
                          int (*func)(upcr_shared_ptr_t, upcr_shared_ptr_t), int flags) {
  static constexpr const char* kFunction = "upc_all_sort";
  const observe::Span span(observe::Kind::kSort, {nelems * elem_size});
  ThreadCtx& c = upcr::ctx(kFunction);
  if (elem_size == 0) fatal("%s: elem_size is 0 on UPC thread %u; it must be above 0", kFunction, c.thread);
  if (func == nullptr)
    fatal("%s: func is null on UPC thread %u; pass the function to compare elements with", kFunction,
          c.thread);
  const std::size_t phase = upcr_phaseof_shared(array);
  if (phase >= blk_size && blk_size != 0)
    fatal("%s: array has phase %zu, but blk_size is %zu; the phase must be below it", kFunction, phase,
          blk_size);
  Call call(c, world(c), kFunction, flags);
  const Layout layout(call.team().size, upcr_threadof_shared(array), phase, blk_size, nelems);
  const ArrayArgument argument{"array", array, elem_size, nelems, blk_size, false};
  check_sort_arguments(call, argument);
  if (nelems != 0) check_array(call, argument, layout);
  call.enter();
  if (nelems != 0) Sort(call, layout, upcr_addrfield_shared(array), elem_size, func).run();
  call.leave();
}

UPCRI_API void bupc_all_sort(upcr_shared_ptr_t array, size_t elem_size, size_t nelems, size_t blk_size,
                             int (*func)(upcr_shared_ptr_t, upcr_shared_ptr_t), int flags) {
  upcri_sort(array, elem_size, nelems, blk_size, func, flags);
}

}  // extern "C"

}  // namespace upcr::coll
