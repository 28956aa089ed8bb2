// SPDX-License-Identifier: BSD-3-Clause
// Notices that the program has unmapped, moved or discarded memory, by userfaultfd: a descriptor with which
// memory is registered, and by which the kernel then announces munmap, mmap over a mapping, mremap, a brk
// that shrinks, and madvise(MADV_DONTNEED, MADV_FREE). The memory is registered for write protection and
// never protected, so accesses cost nothing; a call that changes watched memory waits until the watcher's
// thread has read its event. So malloc and munmap need not be intercepted.
//
// What the kernel does (Linux 5.7 and later):
//
// clang-format off
//   munmap, brk, mmap over a mapping, mremap
//       The mapping goes, and other threads may map the same addresses. Then the event is announced and read, and
//       the call returns. From before the mapping goes until the call has been woken up the descriptor is
//       "changing": UFFDIO_WRITEPROTECT answers EAGAIN.
//   madvise
//       The event is announced and read; then the pages go; then the call returns.
//
// What follows from it:
//
//   A thread unmaps memory and maps the addresses anew. munmap returns after the event was read, and sequence_ is
//       odd from before the read until the listeners know. events_drained() checks it, so no look-up misses the
//       change.
//   Thread A unmaps memory, and before its call has returned mmap gives thread B the same addresses. B cannot know
//       of A, and the event may not even be announced. The state "changing" shows it: events_drained() asks for
//       that by one system call.
//   Thread A discards memory while thread B registers it. B's transfer uses what A discards: an error of the
//       program (registration_cache.hpp says why ranges are not enlarged with this watch).
//   A listener is filling an entry. See RegistrationCache::changed().
//   A thread that holds a lock frees memory (ibv_dereg_mr does, and malloc when it trims). It waits for the
//       watcher. So the watcher takes no lock, allocates and frees nothing, and calls nothing that does. Its own
//       stack is never unmapped, because it never ends.
//   fork. The child's memory is not watched, and the child must not use the conduit. But it inherits the
//       descriptor, and as long as any process has it open the parent's munmap waits for a reader. So the watcher
//       is never stopped: one for each process, from the first use until the process ends (which announces
//       nothing). exec closes the descriptor.
//   mremap that grows a mapping in place. It changes no pages and announces nothing; the new part is watched with
//       the old one. A mapping that moves stays watched; the addresses that it leaves and those that it gets are
//       both announced.
//   Parts of a mapping. Whole mappings are watched: watching a part would split the mapping, and mremap refuses
//       memory that lies in two of them. The kernel may have joined adjacent mappings, so stacks and the like may
//       be watched as well, which does no harm.
//   Stacks. They grow downwards with their watch; unused stacks of threads are discarded by their library, which
//       is announced.
//   Huge pages. Transparent ones are ordinary anonymous memory; MAP_HUGETLB is watched if the kernel can.
// clang-format on
//
// The initialised data of the executable need no watch (program_data.hpp): watch() returns true at once.
// watch() returns false for other files and shared memory (another process or descriptor may truncate them,
// which is not announced), memory that the program watches with a userfaultfd of its own (EBUSY), and
// whatever the kernel refuses. Not noticed: shmat(SHM_REMAP) over private memory, and a program's UFFDIO_MOVE
// out of it. A program that registers memory with its own userfaultfd after a transfer has used it gets
// EBUSY; UPCR_IBV_PIN_MAX=0 avoids that.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/watch/listeners.hpp"
#include "conduits/net/ibv/watch/process_watch.hpp"
#include "conduits/net/ibv/watch/watched_areas.hpp"

namespace upcr::ibv {

class UserfaultfdWatch final : public ProcessWatch {
 public:
  // The process's watcher, started by the first call. Null if the kernel does not allow one; then *why is its
  // error. Main thread.
  static UserfaultfdWatch* get(const char** why) noexcept;

  void add(ChangeListener& listener) noexcept override { listeners_.add(listener); }
  bool remove(ChangeListener& listener) noexcept override { return listeners_.remove(listener); }
  const char* name() const noexcept override { return "userfaultfd"; }

  // Any thread.
  bool events_drained() noexcept override;
  bool watch(std::uintptr_t begin, std::uintptr_t end) noexcept override;

  UserfaultfdWatch(const UserfaultfdWatch&) = delete;
  UserfaultfdWatch& operator=(const UserfaultfdWatch&) = delete;

 private:
  explicit UserfaultfdWatch(int fd) noexcept : fd_(fd) {}
  bool start() noexcept;
  bool watch_mapping(std::uintptr_t begin, std::uintptr_t end) noexcept;

  // -- on the watcher's thread
  void run() noexcept;
  void notify_listeners(std::uintptr_t begin, std::uintptr_t end, bool unmapped) noexcept;

  const int fd_;
  std::atomic<std::uint32_t> sequence_{0};  // odd: events are being read and reported
  ChangeListeners listeners_;
  SpinLock areas_lock_;  // between callers of watch(); not taken by the watcher
  WatchedAreas areas_;
};

}  // namespace upcr::ibv
