// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/hooks/memory_calls.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#ifndef MREMAP_DONTUNMAP
#  define MREMAP_DONTUNMAP 4  // Linux 5.7
#endif

namespace upcr::ibv {
namespace {

enum Nth : unsigned { kMunmap, kMmap, kMremap, kMadvise, kBrk };

// Functions that take the place of others have no argument for it: what they report to, for the process.
struct {
  std::atomic<MemoryCallObserver*> observer{nullptr};
  void** current_break = nullptr;
  std::atomic<unsigned> seen{0};
} state;

std::uintptr_t number(const void* at) noexcept { return reinterpret_cast<std::uintptr_t>(at); }

class Call {
 public:
  explicit Call(Nth nth) noexcept : observer_(*state.observer.load(std::memory_order_acquire)) {
    if ((state.seen.load(std::memory_order_relaxed) & 1U << nth) == 0)
      state.seen.fetch_or(1U << nth, std::memory_order_relaxed);
    observer_.call_begins();
  }
  ~Call() { observer_.call_ends(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void unmaps(const void* at, std::size_t bytes) noexcept { observer_.pages_go(number(at), bytes, true); }
  void discards(const void* at, std::size_t bytes) noexcept { observer_.pages_go(number(at), bytes, false); }

 private:
  MemoryCallObserver& observer_;
};

// The kernel rounds the length of mappings of huge pages up, of which the largest have 1 GiB.
std::size_t to_huge_page(const void* at, std::size_t bytes) noexcept {
  constexpr std::uintptr_t kHuge = std::uintptr_t{1} << 30;
  const std::uintptr_t end = number(at) + bytes;
  if (end < number(at) || end > UINTPTR_MAX - kHuge) return bytes;  // nonsense
  return (end + kHuge - 1) / kHuge * kHuge - number(at);
}

int unmap(void* at, std::size_t bytes) noexcept {
  Call call(kMunmap);
  call.unmaps(at, bytes);
  return static_cast<int>(syscall(SYS_munmap, at, bytes));
}

void* map(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  Call call(kMmap);
  const bool over = (flags & MAP_FIXED) != 0;
  const bool huge = (flags & MAP_HUGETLB) != 0;
  const bool file_of_them = (flags & MAP_ANONYMOUS) == 0;  // perhaps
  if (over) call.unmaps(at, huge || file_of_them ? to_huge_page(at, bytes) : bytes);
  void* const got = reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
  if (!over && got != MAP_FAILED) call.unmaps(got, huge ? to_huge_page(got, bytes) : bytes);
  return got;
}

// The original takes `to` as an optional argument, passed where a fifth argument is; without it there is
// anything.
void* remap(void* at, std::size_t bytes, std::size_t new_bytes, int flags, void* to) noexcept {
  Call call(kMremap);
  const bool fixed = (flags & MREMAP_FIXED) != 0;
  if ((flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) == 0) to = nullptr;
  if (fixed) call.unmaps(to, to_huge_page(to, new_bytes));
  if (fixed || (flags & MREMAP_DONTUNMAP) != 0)
    call.unmaps(at, to_huge_page(at, bytes));
  else if (new_bytes < bytes)
    call.unmaps(static_cast<char*>(at) + new_bytes, to_huge_page(at, bytes) - new_bytes);
  else if (new_bytes > bytes && (flags & MREMAP_MAYMOVE) != 0)
    call.unmaps(at, to_huge_page(at, bytes));  // it may move
  void* const got = reinterpret_cast<void*>(syscall(SYS_mremap, at, bytes, new_bytes, flags, to));
  if (got == MAP_FAILED || fixed) return got;
  if (got != at)
    call.unmaps(got, to_huge_page(got, new_bytes));
  else if (new_bytes > bytes)
    call.unmaps(static_cast<char*>(at) + bytes, to_huge_page(at, new_bytes) - bytes);
  return got;
}

// Advice that leaves the pages where they are. What is not known, does not.
bool keeps_pages(int advice) noexcept {
  switch (advice) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_DONTFORK:
    case MADV_DOFORK:
    case MADV_MERGEABLE:  // not pages that are pinned
    case MADV_UNMERGEABLE:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DONTDUMP:
    case MADV_DODUMP:
    case MADV_WIPEONFORK:
    case MADV_KEEPONFORK:
    case 20:  // MADV_COLD
    case 21:  // MADV_PAGEOUT: not pages that are pinned
    case 22:  // MADV_POPULATE_READ
    case 23:  // MADV_POPULATE_WRITE
      return true;
    default:
      return false;
  }
}

int advise(void* at, std::size_t bytes, int advice) noexcept {
  Call call(kMadvise);
  if (!keeps_pages(advice)) call.discards(at, bytes);
  return static_cast<int>(syscall(SYS_madvise, at, bytes, advice));
}

int set_break(void* to) noexcept {
  Call call(kBrk);
  void* const old = *state.current_break;
  if (to != nullptr && number(to) < number(old)) call.unmaps(to, number(old) - number(to));
  void* const now = reinterpret_cast<void*>(syscall(SYS_brk, to));
  // A call that only asks must not undo what sbrk() of another thread has stored meanwhile.
  if (to != nullptr || old == nullptr) *state.current_break = now;
  if (old != nullptr && number(now) > number(old)) call.unmaps(old, number(now) - number(old));
  if (number(now) >= number(to)) return 0;
  errno = ENOMEM;
  return -1;
}

}  // namespace

const MemoryCall memory_calls[kMemoryCalls] = {
    {"munmap", SYS_munmap, reinterpret_cast<const void*>(&unmap)},
    {"mmap", SYS_mmap, reinterpret_cast<const void*>(&map)},
    {"mremap", SYS_mremap, reinterpret_cast<const void*>(&remap)},
    {"madvise", SYS_madvise, reinterpret_cast<const void*>(&advise)},
    {"brk", SYS_brk, reinterpret_cast<const void*>(&set_break)},
};

void observe_memory_calls(MemoryCallObserver& observer, void** current_break) noexcept {
  state.current_break = current_break;
  state.observer.store(&observer, std::memory_order_release);
}

unsigned memory_calls_seen() noexcept { return state.seen.load(std::memory_order_relaxed); }

}  // namespace upcr::ibv
