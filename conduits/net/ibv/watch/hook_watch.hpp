// SPDX-License-Identifier: BSD-3-Clause
// Notices that the program unmaps, moves or discards memory, by hooks in the C library (libc_hooks.hpp): for
// kernels and containers that do not allow userfaultfd. Compared with that (userfaultfd_watch.hpp) there is
// no thread and no waiting, and a look-up takes no system call; but only what is called through the C library
// is seen.
//
// The thread that changes memory tells the listeners, before it makes its system call. What follows:
//
// clang-format off
//   A thread unmaps memory and maps the addresses anew. The listeners knew before the old pages went, so no
//       look-up misses the change.
//   Thread A unmaps memory, and before its call has returned mmap gives thread B the same addresses. The
//       listeners knew before the addresses became free.
//   Thread A has told the listeners, and before the pages go thread B registers them. B's transfer uses what
//       A takes away: an error of the program. Pages that B's transfer does not use are registered along with
//       its own only where no call is in progress (changes_are_made()).
//   A listener is filling an entry. See RegistrationCache::changed().
//   A thread that holds a lock frees memory. The hooks take no lock and wait for nothing.
//   A call is made that is refused. The range was reported for nothing, which costs a registration; so does
//       mremap that could have moved memory and has not.
//   fork. The child has hooks and listeners of its own, whose marks nobody reads.
//   Another library redirects a function after this did (UCX, Open MPI's patcher). Then calls are missed.
//       events_drained() compares the code; the first time that it differs everything is reported as changed,
//       and from then on it returns false. If the code is restored before any look-up, nobody notices.
//
// Not seen:
//
//   System calls that are made otherwise: syscall(SYS_munmap, ...), io_uring (IORING_OP_MADVISE), allocators
//       and languages with system calls of their own, a second C library (dlmopen, LD_AUDIT). What they unmap
//       is noticed when the C library's mmap, mremap or brk gives the addresses out again, but not when shmat
//       does; madvise and MAP_FIXED are not. Such programs need UPCR_IBV_WATCH=no.
//   The loader's, which has its own copies of these functions. It maps and unmaps libraries, so their memory
//       is not watched: watch() returns false for it (is_library_memory()).
//   shmdt, and shmat(SHM_REMAP) over private memory. Shared memory is not watched anyway.
//   process_madvise on the own process (Linux 6.13), UFFDIO_MOVE.
// clang-format on
//
// watch() returns false, besides, for what the other watch refuses as well: files other than the program's
// data, and shared memory.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/hooks/libc_hooks.hpp"
#include "conduits/net/ibv/watch/listeners.hpp"
#include "conduits/net/ibv/watch/process_watch.hpp"
#include "conduits/net/ibv/watch/watched_areas.hpp"

namespace upcr::ibv {

class HookWatch final : public ProcessWatch, private MemoryCallObserver {
 public:
  // The process's watch; the first call installs the hooks. Null if they cannot be; then *why says why. Main
  // thread.
  static HookWatch* get(std::string* why);

  void add(ChangeListener& listener) noexcept override { listeners_.add(listener); }
  bool remove(ChangeListener& listener) noexcept override { return listeners_.remove(listener); }
  const char* name() const noexcept override { return "hooks"; }

  // Any thread.
  bool events_drained() noexcept override;
  bool watch(std::uintptr_t begin, std::uintptr_t end) noexcept override;
  bool changes_are_made() noexcept override;

  HookWatch(const HookWatch&) = delete;
  HookWatch& operator=(const HookWatch&) = delete;

 private:
  HookWatch();

  // -- on the thread that calls
  void call_begins() noexcept override { begun_.fetch_add(1, std::memory_order_seq_cst); }
  void call_ends() noexcept override { ended_.fetch_add(1, std::memory_order_seq_cst); }
  void pages_go(std::uintptr_t begin, std::size_t bytes, bool unmapped) noexcept override;

  const std::uintptr_t page_;
  LibcHooks hooks_;
  ChangeListeners listeners_;
  std::atomic<std::uint64_t> begun_{0}, ended_{0};  // calls
  std::atomic<bool> lost_{false};                   // another library has been seen in place of a hook
  SpinLock areas_lock_;                             // between callers of watch(); not taken by hooks
  WatchedAreas areas_;
};

}  // namespace upcr::ibv
