// SPDX-License-Identifier: BSD-3-Clause
// Notices that the program has unmapped, moved or discarded memory, by userfaultfd: a descriptor at which
// memory is registered, and at which the kernel then announces munmap, mmap over something, mremap, a brk
// that shrinks, and madvise(MADV_DONTNEED, MADV_FREE). The memory is registered for write protection and
// nothing is ever protected, so accesses cost nothing; a call that changes watched memory waits until our
// thread has read its announcement. Nobody has to intercept malloc or munmap.
//
// What the kernel does (Linux 5.7 and later), and what follows from it:
//
//   munmap, brk, mmap over it, mremap    The mapping goes, others may map the same addresses; then the event
//   is
//     announced, and read; then the call returns. From before the mapping goes until the call has been woken
//     up the descriptor is "changing": UFFDIO_WRITEPROTECT answers EAGAIN.
//   madvise   The event is announced and read; then the pages go; then the call returns.
//
//   The program unmaps and maps anew in one thread: munmap returns after the event was read, sequence_ is odd
//     from before the read until the listeners know. events_drained() looks at it. No look-up can miss the
//     change.
//   Thread A unmaps, and before its call has returned B is given the same addresses by mmap: B cannot know of
//   A,
//     and the event may not even be announced. "Changing" tells: events_drained() asks for it, by one system
//     call.
//   Thread A discards memory while B registers the same: B's transfer uses what A throws away, an error of
//   the
//     program's (see registration_cache.hpp for why ranges are not enlarged).
//   The listener is in the middle of filling an entry: RegistrationCache::changed().
//   Somebody who holds a lock frees memory (ibv_dereg_mr does, malloc's own trimming does): that thread waits
//   for
//     the watcher. So the watcher takes no lock, allocates nothing, frees nothing, and calls nothing that
//     does. Its own stack is never unmapped, because it never ends.
//   fork: the child's memory is not watched, and the child must not use the conduit. But it inherits the
//     descriptor, and as long as any process has it open the parent's munmap waits for a reader. So the
//     watcher is never stopped: one for each process, from the first use until the process ends (which
//     announces nothing). exec closes the descriptor.
//   mremap that grows a mapping where it is changes no pages, and announces nothing; the new part is watched
//   with
//     the old. A mapping that moves keeps being watched. What it leaves is announced, and where it goes, too.
//   Whole mappings are watched, not just the pages asked for: watching a part would split the mapping, and
//   mremap
//     refuses memory that lies in two of them. Mappings beside each other may have been joined by the kernel,
//     so stacks and the like may be watched as well; nothing comes of it.
//   Stacks grow downwards with what watches them; unused stacks of threads are discarded by their library,
//   which
//     is announced.
//   Huge pages: transparent ones are ordinary anonymous memory; MAP_HUGETLB is watched where the kernel can.
//
// The initialised data of the executable need no watching (program_data.hpp), so watch() says yes at once.
// Not watched, so watch() says no: other files and shared memory (another process or a descriptor may cut
// them off, which is announced to nobody), memory that the program watches with a userfaultfd of its own
// (EBUSY), anything the kernel refuses. Not noticed: shmat(SHM_REMAP) over private memory; a program's
// UFFDIO_MOVE out of it. A program that wants to register memory at its own userfaultfd after it has been a
// transfer's gets EBUSY: UPCR_IBV_PIN_MAX=0 then.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/memory/change_watch.hpp"

namespace upcr::ibv {

class UnmapWatch final : public ChangeWatch {
 public:
  // The process's watcher, started by the first call. Null where the kernel does not give one, and `why` says
  // what it said. Main thread.
  static UnmapWatch* get(const char** why) noexcept;

  // Main thread. After remove() the listener is not called any more.
  void add(ChangeListener& listener) noexcept;
  void remove(ChangeListener& listener) noexcept;

  // Any thread.
  bool events_drained() noexcept override;
  bool watch(std::uintptr_t begin, std::uintptr_t end) noexcept override;

  UnmapWatch(const UnmapWatch&) = delete;
  UnmapWatch& operator=(const UnmapWatch&) = delete;

 private:
  static constexpr unsigned kMaxListeners = 16;
  static constexpr unsigned kAreas = 64;

  // A mapping that is being watched, so that it need not be looked up again. Void: begin == end.
  struct Area {
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::atomic<bool> gone{false};
  };

  explicit UnmapWatch(int fd) noexcept : fd_(fd) {}
  bool start() noexcept;
  bool knows(std::uintptr_t begin, std::uintptr_t end) const noexcept;
  bool watch_mapping(std::uintptr_t begin, std::uintptr_t end) noexcept;

  // -- on the watcher's thread
  void run() noexcept;
  void tell(std::uintptr_t begin, std::uintptr_t end, bool unmapped) noexcept;

  const int fd_;
  std::atomic<std::uint32_t> sequence_{0};  // odd: events are being read and told
  std::atomic<ChangeListener*> listeners_[kMaxListeners] = {};
  SpinLock areas_lock_;  // among the callers of watch(); the watcher does without
  Area areas_[kAreas];
  unsigned next_area_ = 0;
};

}  // namespace upcr::ibv
