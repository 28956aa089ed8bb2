// SPDX-License-Identifier: BSD-3-Clause
// Runs of loops that upc2c transforms (include/upcr/upc2c_loops.h): where their elements are, and copies of
// those that are not mapped. Called by translated loops on UPC threads, not in a handler.
#include <algorithm>
#include <cstdlib>
#include <memory>

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

// The memory of a run's objects.
struct Span {
  SharedAddr lowest;
  std::uint64_t distance;  // bytes from an object to the next
  std::uint64_t size;      // of an object
  std::uint64_t count;
  bool backwards;  // the first iteration has the highest address

  std::uint64_t bytes() const { return (count - 1) * distance + size; }
  bool dense() const { return distance == size; }
  bool sparse() const { return distance > kSparse * size; }
  // Of the first iteration's object, from the lowest address on.
  std::uint64_t first() const { return backwards ? (count - 1) * distance : 0; }
};

// Bytes from an iteration's object to the next one's; 0: they are not in the memory of one thread.
std::int64_t distance(const upc2c_run_kind_t& kind, const upc2c_run_t& run) {
  if (kind.block != 1) return run.stride * kind.elemsz;
  const std::int64_t threads = UPCRI_THREADS;
  return run.stride % threads == 0 ? run.stride / threads * kind.elemsz : 0;
}

// Iterations whose elements are in the block of the first one.
std::int64_t inside(const upc2c_run_kind_t& kind, const upc2c_run_t& run) {
  const std::int64_t phase = upcri_phase_shared(run.first);
  return run.stride > 0 ? (kind.block - 1 - phase) / run.stride + 1 : phase / -run.stride + 1;
}

// Of the first iteration; 0 if it or the last one is not mapped.
std::uintptr_t local_address(const upc2c_run_kind_t& kind, const upc2c_run_t& run, std::int64_t distance,
                             std::int64_t count) {
  const int phased = kind.block > 1 ? 1 : 0;
  const auto last = static_cast<std::uint64_t>(run.offset) +
                    static_cast<std::uint64_t>(count - 1) * static_cast<std::uint64_t>(distance);
  std::uintptr_t begin = 0, end = 0;
  if (!upcri_find(run.first, run.offset, phased, &begin)) return 0;
  if (!upcri_find(run.first, static_cast<std::ptrdiff_t>(last), phased, &end)) return 0;
  return begin;
}

Span span_of(const upc2c_run_kind_t& kind, const upc2c_run_t& run, std::int64_t count) {
  const std::int64_t step = distance(kind, run);
  Span span{decode(run.first), static_cast<std::uint64_t>(step < 0 ? -step : step), kind.size,
            static_cast<std::uint64_t>(count), step < 0};
  span.lowest.offset += static_cast<std::uint64_t>(run.offset) - span.first();
  return span;
}

// Whether two runs may have a byte in common.
bool overlap(const Span& a, const Span& b) {
  if (a.lowest.thread != b.lowest.thread) return false;
  if (a.lowest.offset + a.bytes() <= b.lowest.offset || b.lowest.offset + b.bytes() <= a.lowest.offset)
    return false;
  if (a.distance != b.distance) return true;
  // Members of the same structures, or every other element.
  const Span &low = a.lowest.offset <= b.lowest.offset ? a : b, &high = &low == &a ? b : a;
  const std::uint64_t apart = (high.lowest.offset - low.lowest.offset) % low.distance;
  return apart < low.size || apart + high.size > low.distance;
}

VisSection section(std::uint64_t size, std::uint64_t count, std::uint64_t distance) {
  VisSection out(0, size);
  out.add(count, static_cast<std::ptrdiff_t>(distance));
  return out;
}

void fetch(const Span& span, char* to, Pending& done) {
  if (!span.sparse()) return get_bytes_nb(to, span.lowest, span.bytes(), done);
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
    size = kept == nullptr ? 0 : bytes;
  }
  return kept.get();
}

// The runs that are not mapped are copied; false: they cannot be.
bool copy_runs(upc2c_stretch_t& s, const upc2c_run_kind_t* kinds, upc2c_run_t* runs, std::size_t n) {
  std::int64_t count = s.count;
  for (std::size_t i = 0; i < n; i++) {
    if (runs[i].local != nullptr) continue;
    const Span span = span_of(kinds[i], runs[i], count);
    if ((kinds[i].how & UPC2C_RUN_COPIED) == 0 || mapped(span.lowest) != nullptr) return false;
    const std::uint64_t longest = span.sparse() ? kCopiedSparse : kCopied;
    count = std::min(count, static_cast<std::int64_t>(std::max<std::uint64_t>(longest / span.distance, 1)));
  }
  if (count < 2) return false;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < n; i++) {
    if (runs[i].local != nullptr) continue;
    const Span span = span_of(kinds[i], runs[i], count);
    for (std::size_t j = 0; j < i; j++)
      if (runs[j].local == nullptr && ((kinds[i].how | kinds[j].how) & UPC2C_RUN_WRITTEN) != 0 &&
          overlap(span, span_of(kinds[j], runs[j], count)))
        return false;
    bytes += (span.bytes() + kAlignment - 1) / kAlignment * kAlignment;
  }
  char* to = buffer(bytes);
  if (to == nullptr) return false;
  Pending done;
  for (std::size_t i = 0; i < n; i++) {
    if (runs[i].local != nullptr) continue;
    const Span span = span_of(kinds[i], runs[i], count);
    if ((kinds[i].how & UPC2C_RUN_READ) != 0) fetch(span, to, done);
    if ((kinds[i].how & UPC2C_RUN_WRITTEN) != 0) s.copied = 1;
    runs[i].local = to + span.first();
    to += (span.bytes() + kAlignment - 1) / kAlignment * kAlignment;
  }
  wait_for(done, "a get of elements that a loop reads");
  s.count = count;
  return true;
}

}  // namespace

extern "C" {

UPCRI_API int upcri_private_runs(upc2c_stretch_t* s, const upc2c_run_kind_t* kinds, upc2c_run_t* runs,
                                 size_t n) {
  for (std::size_t i = 0; i < n; i++)
    if (kinds[i].block > 1) s->count = std::min(s->count, inside(kinds[i], runs[i]));
  bool all = true;
  for (std::size_t i = 0; i < n; i++) {
    const std::int64_t step = distance(kinds[i], runs[i]);
    if (step == 0) return 0;
    runs[i].local = reinterpret_cast<void*>(local_address(kinds[i], runs[i], step, s->count));
    all &= runs[i].local != nullptr;
  }
  return all || copy_runs(*s, kinds, runs, n) ? 1 : 0;
}

UPCRI_API void upcri_write_back_runs(const upc2c_stretch_t* s, const upc2c_run_kind_t* kinds,
                                     const upc2c_run_t* runs, size_t n) {
  Pending done;
  for (std::size_t i = 0; i < n; i++) {
    if ((kinds[i].how & UPC2C_RUN_WRITTEN) == 0) continue;
    const Span span = span_of(kinds[i], runs[i], s->count);
    if (mapped(span.lowest) == nullptr)
      write_back(span, static_cast<const char*>(runs[i].local) - span.first(), done);
  }
  wait_for(done, "a put of elements that a loop has written");
}

}  // extern "C"
}  // namespace upcr
