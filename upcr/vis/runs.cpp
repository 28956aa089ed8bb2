// SPDX-License-Identifier: BSD-3-Clause
// Runs of loops that upc2c transforms (include/upcr/upc2c_loops.h): where their elements are, and copies of
// those that are not mapped. Called by translated loops on UPC threads, not in a handler.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/upc2c_loops.h"
#include "upcr/access/data.hpp"
#include "upcr/vis/vis.hpp"

namespace upcr {
namespace {

// Bytes of a run that are copied at once: more would leave the caches before the loop gets to its end.
constexpr std::uint64_t kCopied = 64 << 10;
// Elements further apart than this multiple of their size are copied without what is between them, which is
// not touched in the copy either: it may be long.
constexpr std::uint64_t kSparse = 4, kCopiedSparse = 1 << 20;
constexpr std::uint64_t kAlignment = 64;
// Runs at most this far apart share a copy although they have no memory in common: the loop may access one by
// the address of the other.
constexpr std::uint64_t kNear = 128;

// The memory of a run's objects.
struct Span {
  SharedAddr lowest;
  std::uint64_t distance;  // bytes from an object to the next
  std::uint64_t size;      // of an object
  std::uint64_t count;
  bool backwards;  // the first iteration has the highest address

  std::uint64_t bytes() const { return (count - 1) * distance + size; }
  bool dense() const { return distance == size || count == 1; }
  bool sparse() const { return distance > kSparse * size; }
  // Of the first iteration's object, from the lowest address on.
  std::uint64_t first() const { return backwards ? (count - 1) * distance : 0; }
};

// Whether the next iteration's element may be in the same block: else it is rounds of blocks further.
bool within_block(const upc2c_run_kind_t& kind, std::int64_t stride) {
  const std::int64_t block = kind.block;
  return block == 0 || (-block < stride && stride < block);
}

// Bytes from an iteration's object to the next one's; 0: they are not in the memory of one thread, or are
// one.
std::int64_t distance_of(const upc2c_run_kind_t& kind, std::int64_t stride) {
  if (within_block(kind, stride)) return stride * kind.elemsz;
  const std::int64_t threads = UPCRI_THREADS, round = kind.block * threads;
  if (stride == round) return static_cast<std::int64_t>(kind.block) * kind.elemsz;  // without a division
  return stride % round == 0 ? stride / threads * kind.elemsz : 0;
}

// Iterations whose elements are in the block of the first one, or in the same place of other blocks.
std::int64_t inside(const upc2c_run_kind_t& kind, const upc2c_run_t& run, std::int64_t stride) {
  if (!within_block(kind, stride)) return INT64_MAX;
  const std::int64_t phase = upcri_phase_shared(run.first);
  if (stride == 1) return kind.block - phase;
  if (stride == 0) return INT64_MAX;
  return stride > 0 ? (kind.block - 1 - phase) / stride + 1 : phase / -stride + 1;
}

// Moves a run by elements of its array.
void move(const upc2c_run_kind_t& kind, upc2c_run_t& run, std::int64_t elements) {
  if (kind.block == 0)
    run.offset += elements * static_cast<std::int64_t>(kind.elemsz);
  else if (kind.block == 1)
    run.first = upcri_with_phase(
        upcr_add_pshared1(upcr_shared_to_pshared(run.first), kind.elemsz, static_cast<ptrdiff_t>(elements)),
        0);
  else
    run.first = upcr_add_shared(run.first, kind.elemsz, static_cast<ptrdiff_t>(elements), kind.block);
}

// It may be mapped beyond what programs reach at once. Objects that are not accessed have no thread.
[[gnu::noinline]] void* beyond_reach(const upc2c_run_kind_t& kind, const upc2c_run_t& run) {
  if ((kind.how & UPC2C_RUN_COPIED) == 0) return nullptr;
  SharedAddr first = decode(run.first);
  first.offset += static_cast<std::uint64_t>(run.offset);
  return mapped(first);
}

// Of the first iteration; null if it or the last one is not mapped.
inline void* local_address(const upc2c_run_kind_t& kind, const upc2c_run_t& run, std::int64_t count) {
  const std::int64_t end = static_cast<std::int64_t>(kind.size) - 1;
  const auto last = static_cast<std::int64_t>(static_cast<std::uint64_t>(count - 1) *
                                              static_cast<std::uint64_t>(run.distance));
  std::uintptr_t address = 0;
  if (upcri_find(run.first, run.offset, kind.block > 1 ? 1 : 0, &address) != 0 &&
      upcri_reaches(address, std::max(last, std::int64_t{0}) + end) != 0 &&
      (last >= 0 || upcri_reaches(address, last) != 0))
    return reinterpret_cast<void*>(address);
  return beyond_reach(kind, run);
}

Span span_of(const upc2c_run_kind_t& kind, const upc2c_run_t& run, std::int64_t count) {
  const std::int64_t step = run.distance;
  Span span{decode(run.first), static_cast<std::uint64_t>(step < 0 ? -step : step), kind.size,
            step == 0 ? 1 : static_cast<std::uint64_t>(count), step < 0};
  span.lowest.offset += static_cast<std::uint64_t>(run.offset) - span.first();
  return span;
}

VisSection section(std::uint64_t size, std::uint64_t count, std::uint64_t distance) {
  VisSection out(0, size);
  out.add(count, static_cast<std::ptrdiff_t>(distance));
  return out;
}

void fetch(const Span& span, char* to, Pending& done) {
  if (!span.sparse() || span.count == 1) return get_bytes_nb(to, span.lowest, span.bytes(), done);
  const VisSection shape = section(span.size, span.count, span.distance);
  vis_copy_sections({false, {}, to}, shape, {true, encode(span.lowest), nullptr}, shape, done);
}

void write_back(const Span& span, const char* from, Pending& done) {
  if (span.dense()) return put_bytes_nb(span.lowest, from, span.bytes(), done, &done);
  const VisSection shape = section(span.size, span.count, span.distance);
  vis_copy_sections({true, encode(span.lowest), nullptr}, shape, {false, {}, from}, shape, done);
}

// The calling thread's memory for copies. Kept, because malloc() returns blocks of this size to the kernel.
char* buffer(std::uint64_t bytes) {
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  thread_local std::unique_ptr<char, Free> kept;
  thread_local std::uint64_t size = 0;
  if (bytes > size) {
    kept.reset(static_cast<char*>(std::aligned_alloc(kAlignment, bytes)));
    if (kept == nullptr)
      fatal("no memory for copies of %llu bytes in a loop", static_cast<unsigned long long>(bytes));
    size = bytes;
  }
  return kept.get();
}

// Copies of the runs that are not mapped. Runs with memory in common share a copy of it: what one writes is
// what the other one reads.
class Copies {
 public:
  Copies(const upc2c_run_kind_t* kinds, upc2c_run_t* runs, std::size_t n) : kinds_(kinds), runs_(runs) {
    for (std::size_t i = 0; i < n; i++)
      if (runs[i].local == nullptr) copied_.push_back({i, {}});
  }

  // Iterations whose copies are not too long.
  std::int64_t longest(std::int64_t iterations) const {
    for (const Copied& copied : copied_) {
      const Span span = span_of(kinds_[copied.run], runs_[copied.run], iterations);
      const std::uint64_t bytes = span.sparse() ? kCopiedSparse : kCopied;
      if (span.distance != 0)
        iterations = std::min(iterations,
                              static_cast<std::int64_t>(std::max<std::uint64_t>(bytes / span.distance, 1)));
    }
    return iterations;
  }

  void make(std::int64_t iterations) {
    for (Copied& copied : copied_) copied.span = span_of(kinds_[copied.run], runs_[copied.run], iterations);
    std::sort(copied_.begin(), copied_.end(), [](const Copied& a, const Copied& b) {
      const SharedAddr &x = a.span.lowest, &y = b.span.lowest;
      return x.thread != y.thread ? x.thread < y.thread : x.offset < y.offset;
    });
    std::uint64_t bytes = 0;
    for (std::size_t begin = 0; begin < copied_.size(); begin = end_of(begin))
      bytes += aligned(bytes_from(begin));
    char* to = buffer(bytes);
    Pending done;
    for (std::size_t begin = 0; begin < copied_.size(); begin = end_of(begin)) {
      fill(begin, to, done);
      to += aligned(bytes_from(begin));
    }
    wait_for(done, "a get of elements that a loop reads");
  }

 private:
  struct Copied {
    std::size_t run;
    Span span;
  };

  static std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  // The runs from `begin` on that share a copy.
  std::size_t end_of(std::size_t begin) const {
    std::size_t end = begin + 1;
    const SharedAddr lowest = copied_[begin].span.lowest;
    for (std::uint64_t last = lowest.offset + copied_[begin].span.bytes();
         end < copied_.size() && copied_[end].span.lowest.thread == lowest.thread &&
         copied_[end].span.lowest.offset < last + kNear;
         end++)
      last = std::max(last, copied_[end].span.lowest.offset + copied_[end].span.bytes());
    return end;
  }
  std::uint64_t bytes_from(std::size_t begin) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = begin, end = end_of(begin); i < end; i++)
      bytes = std::max(bytes, behind(begin, i) + copied_[i].span.bytes());
    return bytes;
  }
  // From the lowest address of the copy to that of a run.
  std::uint64_t behind(std::size_t begin, std::size_t i) const {
    return copied_[i].span.lowest.offset - copied_[begin].span.lowest.offset;
  }
  bool is_read(std::size_t i) const { return (kinds_[copied_[i].run].how & UPC2C_RUN_READ) != 0; }

  // Fetches what is read: as a whole, or only the objects where these are few.
  void fill(std::size_t begin, char* to, Pending& done) {
    std::uint64_t first = UINT64_MAX, last = 0, objects = 0;
    bool sparse = true;
    const std::size_t end = end_of(begin);
    for (std::size_t i = begin; i < end; i++) {
      const Span& span = copied_[i].span;
      runs_[copied_[i].run].local = to + behind(begin, i) + span.first();
      if (!is_read(i)) continue;
      first = std::min(first, behind(begin, i));
      last = std::max(last, behind(begin, i) + span.bytes());
      objects += span.count * span.size;
      sparse &= span.sparse();
    }
    if (last == 0) return;
    if (!sparse || objects * kSparse >= last - first) {
      SharedAddr from = copied_[begin].span.lowest;
      from.offset += first;
      return get_bytes_nb(to + first, from, last - first, done);
    }
    for (std::size_t i = begin; i < end; i++)
      if (is_read(i)) fetch(copied_[i].span, to + behind(begin, i), done);
  }

  const upc2c_run_kind_t* kinds_;
  upc2c_run_t* runs_;
  std::vector<Copied> copied_;
};

void write_back_all(const upc2c_stretch_t& s, const upc2c_run_kind_t* kinds, const upc2c_run_t* runs,
                    std::size_t n) {
  Pending done;
  for (std::size_t i = 0; i < n; i++) {
    if ((kinds[i].how & UPC2C_RUN_WRITTEN) == 0) continue;
    const Span span = span_of(kinds[i], runs[i], s.count);
    if (local_address(kinds[i], runs[i], s.count) == nullptr)
      write_back(span, static_cast<const char*>(runs[i].local) - span.first(), done);
  }
  wait_for(done, "a put of elements that a loop has written");
}

// Steps over the iterations of the stretch that was; false: none is left.
bool advance(upc2c_stretch_t& s) {
  s.left -= s.count;
  if (s.left > 0) {
    s.first += s.count * s.step;
    return true;
  }
  if (s.chunks == nullptr) {
    if (s.step != 0) return false;
    s.step = 1;
    s.left = s.trips;
    return true;
  }
  if (upcri_next_chunk(s.chunks) == 0) return false;
  s.first = s.chunks->first;
  s.step = s.chunks->step;
  s.left = s.chunks->count;
  return true;
}

}  // namespace

extern "C" {

UPCRI_API int upcri_private_runs(upc2c_stretch_t* s, const upc2c_run_kind_t* kinds, upc2c_run_t* runs,
                                 size_t n) {
  if (s->copied != 0) write_back_all(*s, kinds, runs, n);
  s->copied = 0;
  const std::int64_t before = s->first;
  if (!advance(*s)) {
    s->count = 0;
    s->more = 0;
    return 1;
  }
  if (const std::int64_t further = s->first - before; further != 0)
    for (std::size_t i = 0; i < n; i++)
      if (runs[i].stride != 0) move(kinds[i], runs[i], further * runs[i].stride);
  const std::int64_t wanted = s->single != 0 ? 1 : s->left;
  std::int64_t count = wanted;
  for (std::size_t i = 0; i < n; i++) {
    const std::int64_t stride = runs[i].stride * s->step;
    if (kinds[i].block == 0) {  // the usual ones: nothing to compute but a product
      runs[i].distance = stride * kinds[i].elemsz;
      continue;
    }
    if (kinds[i].block > 1) count = std::min(count, inside(kinds[i], runs[i], stride));
    runs[i].distance = distance_of(kinds[i], stride);
    if (runs[i].distance == 0 && stride != 0) count = 1;
  }
  unsigned apart = 0, uncopied = 0;
  for (std::size_t i = 0; i < n; i++) {
    runs[i].local = local_address(kinds[i], runs[i], count);
    if (runs[i].local != nullptr) continue;
    apart |= kinds[i].how;
    uncopied |= ~kinds[i].how;
  }
  const bool is_private = (uncopied & UPC2C_RUN_COPIED) == 0;
  if (!is_private) {
    count = wanted;
  } else if (apart != 0) {
    Copies copies(kinds, runs, n);
    count = copies.longest(count);
    copies.make(count);
    s->copied = (apart & UPC2C_RUN_WRITTEN) != 0 ? 1 : 0;
  }
  s->count = count;
  s->more = s->copied != 0 || s->left > count || (s->chunks != nullptr && s->chunks->block != 0) ? 1 : 0;
  return is_private ? 1 : 0;
}

}  // extern "C"
}  // namespace upcr
