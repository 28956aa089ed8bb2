// SPDX-License-Identifier: BSD-3-Clause
// Static shared data: allocation behind proxies, and initial values of arrays. The C API is
// include/upcr/static_data.h.
//
// Thread 0 reads its proxy and decides: allocated already, to be cleared, or to be initialised. It broadcasts
// the decision and the address, so that no thread depends on a proxy that another thread of its process may
// be writing. In each process the first thread stores the proxy; the others wait until they see it.
#include "include/upcr/static_data.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/segment_spread.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"
#include "upcr/statics/static_type.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kInitialized = 1;  // offset of UPCR_INITIALIZED_*, where no object is

constexpr const char* kCaller = "static shared data";

enum Decision : std::uint64_t { kSkip, kClear, kLeave };

// Both pointer types, in both layouts, begin with a word that is 0 only in a null pointer. It is stored last,
// because other threads of the process poll it.
template <typename Pointer>
std::atomic_ref<std::uint64_t> first_word(Pointer* proxy) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(proxy));
}

template <typename Pointer>
void store_proxy(Pointer* proxy, Pointer value) {
  if constexpr (sizeof(Pointer) > sizeof(std::uint64_t)) {
    char* to = reinterpret_cast<char*>(proxy);
    const char* from = reinterpret_cast<const char*>(&value);
    std::memcpy(to + 8, from + 8, sizeof(Pointer) - 8);
  }
  first_word(proxy).store(first_word(&value).load(std::memory_order_relaxed), std::memory_order_release);
}

// A pointer of either type; a static object begins at phase 0.
upcr_shared_ptr_t make_pointer(SharedAddr a, const upcr_shared_ptr_t*) { return encode(a); }
#ifndef UPCRI_POINTER_packed
upcr_pshared_ptr_t make_pointer(SharedAddr a, const upcr_pshared_ptr_t*) {
  return upcr_shared_to_pshared(encode(a));
}
#endif

// Zeroes memory of the calling thread's segment without touching pages that were never touched: they are
// holes in the host's memory file, and remain so.
void clear(SharedAddr at, std::size_t bytes) {
  constexpr std::size_t kMinForHoles = 256 << 10;
  char* memory = static_cast<char*>(mapped(at));
  const Job& j = job();
  if (bytes < kMinForHoles) {
    std::memset(memory, 0, bytes);
    return;
  }
  const Slot index_in_group = at.thread - j.topology.window_group_first_slot();
  const Slot slots = j.topology.window_group_slots();
  const auto start = static_cast<off_t>(segment_offset(j.memory_file, slots, index_in_group) + at.offset);
  const off_t end = start + static_cast<off_t>(bytes);
  for (off_t from = start; from < end;) {
    const off_t data = ::lseek(j.memory_file.fd(), from, SEEK_DATA);
    if (data < 0 && errno == ENXIO) return;  // holes up to the end
    if (data >= end) return;
    off_t hole = data < 0 ? -1 : ::lseek(j.memory_file.fd(), data, SEEK_HOLE);
    if (hole < 0) hole = end;  // a kernel without SEEK_HOLE
    const off_t first = data < 0 ? from : data;
    hole = std::min(hole, end);
    std::memset(memory + (first - start), 0, static_cast<std::size_t>(hole - first));
    from = hole;
  }
}

// The layout by the table's numbers.
template <typename Info>
StaticLayout table_layout(const Info& info) {
  std::size_t blocks = info.numblocks;
  if (info.mult_by_threads != 0 && __builtin_mul_overflow(blocks, job().topology.slots(), &blocks))
    fatal("static shared data: %zu blocks times THREADS are more than any memory can hold", info.numblocks);
  return {std::max<std::size_t>(blocks, 1), std::max<std::size_t>(info.blockbytes, 1)};
}

// The table's layout; or the type's if the table's is smaller: some translators wrote the bytes of one
// element where those of a block belong.
template <typename Info>
StaticLayout layout_of(const ThreadCtx& c, const Info& info) {
  const StaticLayout table = table_layout(info);
  const auto type = layout_of_type(info.typestr, info.elemsz, job().topology.slots());
  if (!type || bytes_per_thread(type->blocks, type->block_bytes, kCaller) <=
                   bytes_per_thread(table.blocks, table.block_bytes, kCaller))
    return table;
#if UPCR_DEBUG
  if (c.thread == 0)
    warn(
        "static shared data: the table for '%s' allocates %zu x %zu bytes (blocks x bytes of a block), but "
        "its type (%s, elements of %zu bytes) needs %zu x %zu; memory is allocated for the type. The table is the "
        "translator's: another release of it may write it correctly",
        info.namestr != nullptr ? info.namestr : "?", table.blocks, table.block_bytes, info.typestr,
        info.elemsz, type->blocks, type->block_bytes);
#else
  (void)c;
#endif
  return *type;
}

// The unused bytes behind an object of this size on each thread: some older programs write slightly beyond
// the ends of their arrays.
std::size_t slack_behind(std::size_t bytes) {
  constexpr std::size_t kMinPiece = 64, kMaxPiece = 4096;
  return std::clamp(bytes / 8 / kMinPiece * kMinPiece, kMinPiece, kMaxPiece);
}

// The same for both descriptors: `proxy` is their first field.
template <typename Pointer, typename Info>
void allocate_one(ThreadCtx& c, const Info& info, Pointer* proxy) {
  const StaticLayout layout = layout_of(c, info);
  std::size_t bytes = bytes_per_thread(layout.blocks, layout.block_bytes, kCaller);
  if (__builtin_add_overflow(bytes, slack_behind(bytes), &bytes)) bytes = SIZE_MAX;  // refused by the heap
  SmallValue decided{};
  if (c.thread == 0) {
    const std::uint64_t now = first_word(proxy).load(std::memory_order_relaxed);
    if (now <= kInitialized) {
      // As many bytes on every thread, or on thread 0 alone.
      const std::size_t parts = layout.blocks == 1 ? 1 : job().topology.slots();
      decided.words[0] = heap_alloc_blocked(parts, bytes, BlockUse::kStatic, kCaller).offset;
      decided.words[1] = now == kInitialized ? kLeave : kClear;
    }
  }
  decided = small_broadcast(c, 0, decided);
  if (decided.words[1] == kSkip) return;
  const SharedAddr object{0, decided.words[0]};
  if (decided.words[1] == kClear && (layout.blocks > 1 || c.thread == 0))
    clear({c.thread, object.offset}, bytes);

  Pointer value = make_pointer(object, proxy);
  if (c.local_index == 0) {
    store_proxy(proxy, value);
    if (job().topology.my_slots() > 1) job().doorbells.ring_process(job().topology, job().topology.rank);
  } else {
    const std::uint64_t expected = first_word(&value).load(std::memory_order_relaxed);
    job().progress.wait_until(c.thread, {"static shared data", object.offset},
                              [&] { return first_word(proxy).load(std::memory_order_acquire) == expected; });
  }
}

// --- initial values ------------------------------------------------------------------------------------

struct ArrayInit {
  const char* src;
  const upcr_startup_arrayinit_diminfo_t* dims;
  std::size_t count, elembytes;

  std::size_t extent(std::size_t d) const {
    return dims[d].shared_elems * (dims[d].mult_by_threads != 0 ? job().topology.slots() : 1);
  }
  // The number of elements that the initialiser has for a row, and their index in src; `row` numbers the rows
  // of the shared array (all dimensions but the last).
  std::size_t row_elements(std::size_t row, std::size_t* index) const {
    if (src == nullptr) return 0;
    std::size_t at = 0, scale = 1;
    for (std::size_t d = count - 1; d-- > 0;) {
      const std::size_t i = row % extent(d);
      if (i >= dims[d].local_elems) return 0;
      row /= extent(d);
      at += i * scale;
      scale *= dims[d].local_elems;
    }
    *index = at * dims[count - 1].local_elems;
    return std::min(dims[count - 1].local_elems, extent(count - 1));
  }
  // Writes elements [from, to) of the shared array, counted row by row, to `out`.
  void fill(char* out, std::size_t from, std::size_t to) const {
    const std::size_t width = extent(count - 1);
    while (from < to) {
      const std::size_t column = from % width, n = std::min(to - from, width - column);
      std::size_t index = 0;
      const std::size_t have = row_elements(from / width, &index);
      const std::size_t copied = have > column ? std::min(n, have - column) : 0;
      if (copied != 0) std::memcpy(out, src + (index + column) * elembytes, copied * elembytes);
      std::memset(out + copied * elembytes, 0, (n - copied) * elembytes);
      out += n * elembytes;
      from += n;
    }
  }
};

void init_array(SharedAddr array, ArrayInit init, std::size_t blockelems) {
  ThreadCtx& c = ctx("upcr_startup_initarray");
  static constexpr upcr_startup_arrayinit_diminfo_t kScalar = {1, 1, 0};
  if (init.count == 0) init = {init.src, &kScalar, 1, init.elembytes};
  std::size_t total = 1;
  for (std::size_t d = 0; d < init.count; ++d) total *= init.extent(d);
  if (total == 0) return;
  const std::size_t block = blockelems == 0 ? total : blockelems, threads = job().topology.slots();
  char* out = static_cast<char*>(mapped({c.thread, array.offset}));
  // Block b is the thread's (b / THREADS)-th: they follow each other in its memory.
  for (std::size_t from = c.thread * block; from < total; from += threads * block) {
    const std::size_t to = std::min(total, from + block);
    init.fill(out, from, to);
    out += block * init.elembytes;
  }
}

}  // namespace
extern "C" {

UPCRI_API void upcr_startup_shalloc(upcr_startup_shalloc_t* infos, size_t count) {
  ThreadCtx& c = ctx("upcr_startup_shalloc");
  for (std::size_t i = 0; i < count; ++i) allocate_one(c, infos[i], infos[i].sptr_addr);
}

UPCRI_API void upcr_startup_pshalloc(upcr_startup_pshalloc_t* infos, size_t count) {
  ThreadCtx& c = ctx("upcr_startup_pshalloc");
  for (std::size_t i = 0; i < count; ++i) allocate_one(c, infos[i], infos[i].psptr_addr);
}

UPCRI_API void upcr_startup_initarray(upcr_shared_ptr_t dst, void* src,
                                      upcr_startup_arrayinit_diminfo_t* diminfos, size_t dimcnt,
                                      size_t elembytes, size_t blockelems) {
  init_array(decode(dst), {static_cast<const char*>(src), diminfos, dimcnt, elembytes}, blockelems);
}

UPCRI_API void upcr_startup_initparray(upcr_pshared_ptr_t dst, void* src,
                                       upcr_startup_arrayinit_diminfo_t* diminfos, size_t dimcnt,
                                       size_t elembytes, size_t blockelems) {
  init_array(decode(dst), {static_cast<const char*>(src), diminfos, dimcnt, elembytes}, blockelems);
}

}  // extern "C"
}  // namespace upcr
